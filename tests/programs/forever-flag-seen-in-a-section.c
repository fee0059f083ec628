/* A thread sets a variable of its own to and fro for ever; another one looks at it inside an atomic section, and gets out. */
#include <heddle/heddle.h>
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
  for (;;) {
    heddle_atomic_begin();
    volatile long *light = atomic_load(&published);
    const long seen = light != NULL ? *light : 0;
    heddle_atomic_end();
    if (seen != 0) return arg;
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, blink, NULL);
  pthread_create(&threads[1], NULL, watch, NULL);
  pthread_join(threads[1], NULL);
  pthread_join(threads[0], NULL);
  return 0;
}
