// Both main and the watchdog may stop the worker; whoever sets the flag first joins it, and nobody else.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_t worker;
static atomic_bool stopped;
static atomic_int jobs_done;

static void* work(void* arg) {
  (void)arg;
  atomic_fetch_add(&jobs_done, 1);
  return NULL;
}

static void stop_worker(void) {
  if (atomic_exchange(&stopped, true)) return;
  pthread_join(worker, NULL);
}

static void* watchdog(void* arg) {
  (void)arg;
  stop_worker();
  return NULL;
}

int main(void) {
  pthread_t dog;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&dog, NULL, watchdog, NULL);
  stop_worker();
  pthread_join(dog, NULL);
  assert(atomic_load(&jobs_done) == 1);
  return 0;
}
