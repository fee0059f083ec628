// A token goes round three threads for ever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 3 };
static atomic_int token, holders;

static void* run(void* argument) {
  const int me = (int)(long)argument;
  for (;;) {
    while (atomic_load(&token) != me) {
    }
    assert(atomic_fetch_add(&holders, 1) == 0);
    atomic_fetch_sub(&holders, 1);
    atomic_store(&token, (me + 1) % kThreads);
  }
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 1; i < kThreads; ++i) pthread_create(&threads[i], 0, run, (void*)i);
  run((void*)0L);
}
