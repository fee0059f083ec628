// A page counter that every thread increments and reads with relaxed atomic operations.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static long pages_served;

static void* serve(void* arg) {
  (void)arg;
  __atomic_fetch_add(&pages_served, 1, __ATOMIC_RELAXED);
  return NULL;
}

int main(void) {
  pthread_t server;
  pthread_create(&server, NULL, serve, NULL);
  __atomic_fetch_add(&pages_served, 1, __ATOMIC_RELAXED);
  long now = __atomic_load_n(&pages_served, __ATOMIC_RELAXED);
  assert(now == 1 || now == 2);
  pthread_join(server, NULL);
  assert(pages_served == 2);
  return 0;
}
