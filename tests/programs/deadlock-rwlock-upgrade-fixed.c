// A cache lookup that misses gives up the read lock, takes the write lock and checks again.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t cache_lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached;  // 0: nothing cached yet
static int fills;

static void fill_if_empty(void) {
  pthread_rwlock_wrlock(&cache_lock);
  if (cached == 0) {
    cached = 42;
    fills++;
  }
  pthread_rwlock_unlock(&cache_lock);
}

static void* lookup(void* arg) {
  (void)arg;
  pthread_rwlock_rdlock(&cache_lock);
  int found = cached;
  pthread_rwlock_unlock(&cache_lock);
  if (found == 0) fill_if_empty();
  return NULL;
}

static void* prefetch(void* arg) {
  (void)arg;
  fill_if_empty();
  return NULL;
}

int main(void) {
  pthread_t reader, prefetcher;
  pthread_create(&reader, NULL, lookup, NULL);
  pthread_create(&prefetcher, NULL, prefetch, NULL);
  pthread_join(reader, NULL);
  pthread_join(prefetcher, NULL);
  assert(cached == 42 && fills == 1);
  return 0;
}
