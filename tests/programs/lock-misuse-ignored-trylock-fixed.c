// A flush that does not get the mutex returns: whoever holds it is flushing already.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t flushing = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flushes;

static void* flush(void* arg) {
  (void)arg;
  if (pthread_mutex_trylock(&flushing) != 0) return NULL;
  atomic_fetch_add(&flushes, 1);
  pthread_mutex_unlock(&flushing);
  return NULL;
}

int main(void) {
  pthread_t timer, shutdown;
  pthread_create(&timer, NULL, flush, NULL);
  pthread_create(&shutdown, NULL, flush, NULL);
  pthread_join(timer, NULL);
  pthread_join(shutdown, NULL);
  assert(atomic_load(&flushes) >= 1);
  return 0;
}
