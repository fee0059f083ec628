// A hit counter bumped with one read-modify-write: no increment is ever lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { REQUESTS = 2 };

static atomic_int hits;

static void* serve(void* arg) {
  (void)arg;
  for (int i = 0; i < REQUESTS; i++) {
    atomic_fetch_add(&hits, 1);
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, serve, NULL);
  pthread_create(&second, NULL, serve, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(atomic_load(&hits) == 2 * REQUESTS);
  return 0;
}
