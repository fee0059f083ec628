/* A buffer for one item, two consumers. Between the signal and the return from the wait another consumer may come and take the
   item: whoever waits looks again (`while`). With `if` (LOOKS_ONCE), it takes from an empty buffer. */
#include <assert.h>
#include <pthread.h>

#ifdef LOOKS_ONCE
#define WAIT_AS_LONG_AS(condition) if (condition)
#else
#define WAIT_AS_LONG_AS(condition) while (condition)
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int count;

static void put(void) {
  pthread_mutex_lock(&mutex);
  WAIT_AS_LONG_AS(count == 1) pthread_cond_wait(&not_full, &mutex);
  assert(count == 0);
  ++count;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static void *take(void *arg) {
  pthread_mutex_lock(&mutex);
  WAIT_AS_LONG_AS(count == 0) pthread_cond_wait(&not_empty, &mutex);
  assert(count == 1);
  --count;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t consumers[2];
  for (int i = 0; i < 2; ++i) pthread_create(&consumers[i], NULL, take, NULL);
  put();
  put();
  for (int i = 0; i < 2; ++i) pthread_join(consumers[i], NULL);
  return 0;
}
