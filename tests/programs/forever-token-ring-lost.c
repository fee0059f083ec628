// A token goes round three threads until it is passed to one that does not exist.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 3 };
static atomic_int token, holders;

static void* run(void* argument) {
  const int me = (int)(long)argument;
  for (;;) {
    while (atomic_load(&token) != me) {  // BUG: livelock
    }
    assert(atomic_fetch_add(&holders, 1) == 0);
    atomic_fetch_sub(&holders, 1);
    atomic_store(&token, me + 1);
  }
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 1; i < kThreads; ++i) pthread_create(&threads[i], 0, run, (void*)i);
  run((void*)0L);
}
