/* A thread ends without releasing a spin lock; who wants it next sets its own variables to and fro for ever. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_long lock;

static void *take(void *arg) {
  volatile long tries = 0;
  long expected = 0;
  while (!atomic_compare_exchange_strong(&lock, &expected, 1)) { /* BUG */
    expected = 0;
    tries = 1;
  }
  (void)tries;
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, take, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
