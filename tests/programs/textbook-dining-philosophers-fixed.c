/* Three philosophers, who take the lower-numbered fork first. If each takes the left one first (LEFT_FIRST), all may wait for
   the right one. */
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
#ifdef LEFT_FIRST
static const int first[3] = {0, 1, 2}, second[3] = {1, 2, 0};
#else
static const int first[3] = {0, 1, 0}, second[3] = {1, 2, 2};
#endif

static void *dine(void *arg) {
  const int me = (int)(long)arg;
  pthread_mutex_lock(&forks[first[me]]);
  pthread_mutex_lock(&forks[second[me]]);
  pthread_mutex_unlock(&forks[second[me]]);
  pthread_mutex_unlock(&forks[first[me]]);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, dine, (void *)i);
  dine((void *)2L);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
