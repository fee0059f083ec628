// A cache lookup that misses asks for the write lock while it still holds the read lock: it waits for itself.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t cache_lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached;  // 0: nothing cached yet

static void* lookup(void* arg) {
  (void)arg;
  pthread_rwlock_rdlock(&cache_lock);
  if (cached == 0) {
    pthread_rwlock_wrlock(&cache_lock);  // BUG
    cached = 42;
    pthread_rwlock_unlock(&cache_lock);
  }
  pthread_rwlock_unlock(&cache_lock);
  return NULL;
}

static void* prefetch(void* arg) {
  (void)arg;
  pthread_rwlock_wrlock(&cache_lock);
  cached = 42;
  pthread_rwlock_unlock(&cache_lock);
  return NULL;
}

int main(void) {
  pthread_t reader, prefetcher;
  pthread_create(&reader, NULL, lookup, NULL);
  pthread_create(&prefetcher, NULL, prefetch, NULL);
  pthread_join(reader, NULL);
  pthread_join(prefetcher, NULL);
  assert(cached == 42);
  return 0;
}
