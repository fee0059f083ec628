// The loader sets the flag and signals under the mutex: main either sees the flag or is already waiting.
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loaded = PTHREAD_COND_INITIALIZER;
static bool ready;

static void* load_table(void* arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  ready = true;
  pthread_cond_signal(&loaded);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t loader;
  pthread_create(&loader, NULL, load_table, NULL);
  pthread_mutex_lock(&lock);
  while (!ready) {
    pthread_cond_wait(&loaded, &lock);
  }
  pthread_mutex_unlock(&lock);
  pthread_join(loader, NULL);
  return 0;
}
