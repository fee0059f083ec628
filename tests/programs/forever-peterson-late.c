// Peterson's lock, entered before anybody is told.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], victim, inside;

static void* run(void* argument) {
  const long me = (long)argument;
  const long other = 1 - me;
  for (;;) {
    atomic_store(&victim, (int)me);
    while (atomic_load(&wants[other]) && atomic_load(&victim) == me) {
    }
    atomic_store(&inside, (int)me + 1);
    assert(atomic_load(&inside) == me + 1);  // BUG: two inside
    atomic_store(&wants[me], 1);
    atomic_store(&wants[me], 0);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, (void*)1L);
  run((void*)0L);
}
