// A sensor thread raises the ready flag before it stores the reading; the consumer may see the flag and a stale value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int temperature;
static atomic_bool ready;

static void* sensor(void* arg) {
  (void)arg;
  atomic_store(&ready, true);
  atomic_store(&temperature, 21);
  return NULL;
}

static void* display(void* arg) {
  (void)arg;
  if (atomic_load(&ready)) {
    int shown = atomic_load(&temperature);
    assert(shown == 21);  // BUG
  }
  return NULL;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, NULL, sensor, NULL);
  pthread_create(&consumer, NULL, display, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  return 0;
}
