// A page counter incremented atomically by the server but read as a plain integer by the status report.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static long pages_served;

static void* serve(void* arg) {
  (void)arg;
  __atomic_fetch_add(&pages_served, 1, __ATOMIC_RELAXED);  // BUG
  return NULL;
}

int main(void) {
  pthread_t server;
  pthread_create(&server, NULL, serve, NULL);
  long now = pages_served;  // BUG
  assert(now == 0 || now == 1);
  pthread_join(server, NULL);
  return 0;
}
