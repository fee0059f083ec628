// The length of a literal decides how often each thread counts; one of the counts can be lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static _Atomic unsigned long count;
static unsigned long length(const char* text) { return strlen(text); }

static void* thread(void* argument) {
  (void)argument;
  const unsigned long often = length("ab") + (strcmp("ab", "ba") < 0 ? 0 : 7);
  for (unsigned long i = 0; i < often; ++i) {
    const unsigned long seen = count;
    count = seen + 1;
  }
  return 0;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, thread, 0);
  thread(0);
  pthread_join(id, 0);
  assert(count == 2 * length("ab"));  // BUG: reading and writing are two steps
  return 0;
}
