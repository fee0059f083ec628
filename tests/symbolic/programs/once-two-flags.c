// Two flags for one thing: done twice.
#include <assert.h>
#include <pthread.h>

static pthread_once_t flags[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static _Atomic int made;

static void make(void) { ++made; }

static void* thread(void* argument) {
  pthread_once(argument, make);
  return 0;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, thread, &flags[0]);
  thread(&flags[1]);
  pthread_join(id, 0);
  assert(made == 1);  // BUG: each flag has its own first time
  return 0;
}
