/* A read-write lock of a mutex and a condition variable that prefers writers. A writer that leaves wakes everybody: all waiting
   readers may enter. If it wakes one (WAKES_ONE), the others sleep on. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing, writers_waiting;

static void *reader(void *arg) {
  pthread_mutex_lock(&mutex);
  while (writing || writers_waiting) pthread_cond_wait(&changed, &mutex);
  ++readers;
  assert(!writing);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  assert(!writing);
  if (--readers == 0 && writers_waiting) pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void writer(void) {
  pthread_mutex_lock(&mutex);
  ++writers_waiting;
  while (writing || readers) pthread_cond_wait(&changed, &mutex);
  --writers_waiting;
  writing = 1;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  assert(readers == 0);
  writing = 0;
#ifdef WAKES_ONE
  pthread_cond_signal(&changed);
#else
  pthread_cond_broadcast(&changed);
#endif
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, reader, NULL);
  writer();
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
