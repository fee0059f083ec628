// The loader sets the flag and signals without the mutex: the signal can fall between main's check and its wait.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loaded = PTHREAD_COND_INITIALIZER;
static atomic_bool ready;

static void* load_table(void* arg) {
  (void)arg;
  atomic_store(&ready, true);
  pthread_cond_signal(&loaded);
  return NULL;
}

int main(void) {
  pthread_t loader;
  pthread_create(&loader, NULL, load_table, NULL);
  pthread_mutex_lock(&lock);
  while (!atomic_load(&ready)) {
    pthread_cond_wait(&loaded, &lock);  // BUG
  }
  pthread_mutex_unlock(&lock);
  pthread_join(loader, NULL);
  return 0;
}
