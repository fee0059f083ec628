// pthread_once: one of the threads runs the function, the others wait for its end.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;

static void make(void) { ++made; }

static void* thread(void* argument) {
  (void)argument;
  pthread_once(&once, make);
  assert(made == 1);
  return 0;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, thread, 0);
  thread(0);
  pthread_join(id, 0);
  assert(made == 1);
  return 0;
}
