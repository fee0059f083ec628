// The result of trylock is ignored: a flush that did not get the mutex releases it all the same.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t flushing = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flushes;

static void* flush(void* arg) {
  (void)arg;
  pthread_mutex_trylock(&flushing);
  atomic_fetch_add(&flushes, 1);
  pthread_mutex_unlock(&flushing);  // BUG
  return NULL;
}

int main(void) {
  pthread_t timer, shutdown;
  pthread_create(&timer, NULL, flush, NULL);
  pthread_create(&shutdown, NULL, flush, NULL);
  pthread_join(timer, NULL);
  pthread_join(shutdown, NULL);
  return 0;
}
