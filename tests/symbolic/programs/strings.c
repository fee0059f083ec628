// strlen, strcmp and strdup where the characters are known: literals in any thread, and in main before there are threads
// whatever it has put together. The functions hide the literals from the compiler, which would compute the results.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static unsigned long length(const char* text) { return strlen(text); }
static int order(const char* a, const char* b) { return strcmp(a, b); }

static void* thread(void* argument) {
  (void)argument;
  assert(length("warp") == 4 && length("") == 0);
  assert(order("warp", "weft") < 0 && order("weft", "warp") > 0 && order("war", "warp") < 0 && order("weft", "weft") == 0);
  return 0;
}

int main(void) {
  char built[8] = {0};
  for (int i = 0; i < 3; ++i) built[i] = (char)('a' + i);
  assert(length(built) == 3 && order(built, "abc") == 0);
  char* copy = strdup(built);
  assert(copy[0] == 'a' && copy[2] == 'c' && copy[3] == 0);
  free(copy);
  pthread_t id;
  pthread_create(&id, 0, thread, 0);
  pthread_join(id, 0);
  return 0;
}
