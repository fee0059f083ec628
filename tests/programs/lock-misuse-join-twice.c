// Both main and the watchdog may stop the worker; the flag is set too late and the worker is joined twice.
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
  if (atomic_load(&stopped)) return;
  pthread_join(worker, NULL);  // BUG
  atomic_store(&stopped, true);
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
  return 0;
}
