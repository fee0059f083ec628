/* A thread sets a variable of its own to and fro for ever, and another one waits to see it set: it gets out. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(volatile long *) published;

static void *blink(void *arg) {
  volatile long light = 0;
  atomic_store(&published, &light);
  for (;;) {
    light = 1;
    light = 0;
  }
  return arg;
}

static void *watch(void *arg) {
  volatile long *light = NULL;
  while ((light = atomic_load(&published)) == NULL) continue;
  while (*light == 0) continue;
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, blink, NULL);
  pthread_create(&threads[1], NULL, watch, NULL);
  pthread_join(threads[1], NULL);
  pthread_join(threads[0], NULL);
  return 0;
}
