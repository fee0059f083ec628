// A hit counter bumped with a separate load and store: every access is atomic, yet an increment can be lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { REQUESTS = 2 };

static atomic_int hits;

static void* serve(void* arg) {
  (void)arg;
  for (int i = 0; i < REQUESTS; i++) {
    int seen = atomic_load(&hits);
    atomic_store(&hits, seen + 1);
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, serve, NULL);
  pthread_create(&second, NULL, serve, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(atomic_load(&hits) == 2 * REQUESTS);  // BUG
  return 0;
}
