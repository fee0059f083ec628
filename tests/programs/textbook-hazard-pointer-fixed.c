/* Hazard pointers: a reader says what it is about to read and looks again whether it is still there; a writer frees what nobody
   says. Without the second look (UNCHECKED), it may have been freed in between. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
  int a, b;
};
static _Atomic(struct config *) current, hazard;

static struct config *make(int value) {
  struct config *config = malloc(sizeof *config);
  config->a = config->b = value;
  return config;
}

static void *reader(void *arg) {
  struct config *seen = atomic_load(&current);
  for (;;) {
    atomic_store(&hazard, seen);
#ifdef UNCHECKED
    break;
#else
    struct config *again = atomic_load(&current);
    if (again == seen) break;
    seen = again;
#endif
  }
  assert(seen->a == seen->b);
  atomic_store(&hazard, NULL);
  return arg;
}

int main(void) {
  atomic_init(&current, make(1));
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  struct config *old = atomic_exchange(&current, make(2));
  if (atomic_load(&hazard) != old) {
    free(old);
    old = NULL;
  }
  pthread_join(thread, NULL);
  free(old);
  free(atomic_load(&current));
  return 0;
}
