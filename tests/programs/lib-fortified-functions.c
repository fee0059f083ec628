/* What copies and text functions become with -D_FORTIFY_SOURCE, called by name: what they return, at the edges, and that memory
 * of one's own is nobody's race. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

int __sprintf_chk(char *to, int flags, size_t room, const char *format, ...);
int __snprintf_chk(char *to, size_t size, int flags, size_t room, const char *format, ...);
void *__memcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memmove_chk(void *to, const void *from, size_t size, size_t room);
void *__mempcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memset_chk(void *to, int value, size_t size, size_t room);
char *__strcpy_chk(char *to, const char *from, size_t room);
char *__stpcpy_chk(char *to, const char *from, size_t room);
char *__strncpy_chk(char *to, const char *from, size_t size, size_t room);
char *__strcat_chk(char *to, const char *from, size_t room);
char *__strncat_chk(char *to, const char *from, size_t size, size_t room);

static void *use(void *unused) {
  char text[16];
  assert(__sprintf_chk(text, 1, sizeof text, "%s-%d", "abc", 42) == 6 && strcmp(text, "abc-42") == 0);
  assert(__snprintf_chk(text, 4, 1, sizeof text, "%s", "abcdef") == 6 && strcmp(text, "abc") == 0);
  assert(__memset_chk(text, 'x', 15, sizeof text) == text && text[14] == 'x');
  assert(__memcpy_chk(text, "0123", 5, sizeof text) == text && strcmp(text, "0123") == 0);
  assert(__memmove_chk(text + 1, text, 5, sizeof text - 1) == text + 1 && strcmp(text, "00123") == 0);
  assert(__mempcpy_chk(text, "ab", 3, sizeof text) == text + 3 && strcmp(text, "ab") == 0);
  assert(__strcpy_chk(text, "fifteen letters", sizeof text) == text && strlen(text) == 15);
  assert(__stpcpy_chk(text, "four", sizeof text) == text + 4 && strcmp(text, "four") == 0);
  assert(strcmp(__strcat_chk(text, "te", sizeof text), "fourte") == 0);
  assert(strcmp(__strncat_chk(text, "en and more", 2, sizeof text), "fourteen") == 0);
  assert(__strncpy_chk(text, "no", 4, sizeof text) == text && memcmp(text, "no\0\0teen", 9) == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use, NULL);
  use(NULL);
  pthread_join(thread, NULL);
  return 0;
}
