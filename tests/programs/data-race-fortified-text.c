/* Two threads write one buffer by what text functions become with -D_FORTIFY_SOURCE. The functions are called by name, so
 * that every build has them. */
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

int __sprintf_chk(char *to, int flags, size_t room, const char *format, ...);
int __vsprintf_chk(char *to, int flags, size_t room, const char *format, va_list arguments);

static char message[32];

static int format(const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = __vsprintf_chk(message, 1, sizeof message, text, arguments); /* BUG */
  va_end(arguments);
  return length;
}

static void *report(void *unused) {
  __sprintf_chk(message, 1, sizeof message, "worker %d", 1); /* BUG */
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, report, NULL);
  format("main %s", "thread");
  pthread_join(thread, NULL);
  return strlen(message) == 0;
}
