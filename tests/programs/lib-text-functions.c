/* The functions on text that the runtime has versions of: what they return, at the edges. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *use(void *unused) {
  char text[16];
  assert(snprintf(text, sizeof text, "%s-%d", "abc", 42) == 6 && strcmp(text, "abc-42") == 0);
  assert(snprintf(text, 4, "%s", "abcdef") == 6 && strcmp(text, "abc") == 0);
  assert(snprintf(NULL, 0, "%05d", 7) == 5);
  assert(sprintf(text, "%c%c", 'x', 'y') == 2 && strcmp(text, "xy") == 0);
  assert(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0 && strncmp("b", "a", 9) > 0);
  assert(strncmp("abc", "abc", 9) == 0 && strncmp("a", "b", 0) == 0 && strncmp("\xff", "a", 1) > 0);
  assert(stpcpy(text, "four") == text + 4 && strcmp(text, "four") == 0);
  assert(strcmp(strncat(text, "teen", 2), "fourte") == 0 && strcmp(strncat(text, "en", 9), "fourteen") == 0);
  assert(memchr(text, 'n', 8) == text + 7 && memchr(text, 'n', 7) == NULL && memchr(text, 0, 9) == text + 8);
  assert(strchr(text, 'e') == text + 5 && strchr(text, 'z') == NULL && strchr(text, 0) == text + 8);
  char *copy = strdup(text);
  assert(copy != text && strcmp(copy, "fourteen") == 0);
  free(copy);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use, NULL);
  use(NULL);
  pthread_join(thread, NULL);
  return 0;
}
