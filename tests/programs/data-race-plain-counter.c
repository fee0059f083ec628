// A page counter incremented by two threads as a plain integer.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static long pages_served;

static void* serve(void* arg) {
  (void)arg;
  pages_served++;  // BUG
  return NULL;
}

int main(void) {
  pthread_t server;
  pthread_create(&server, NULL, serve, NULL);
  pages_served++;  // BUG
  pthread_join(server, NULL);
  assert(pages_served > 0);
  return 0;
}
