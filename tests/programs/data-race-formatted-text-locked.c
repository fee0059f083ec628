/* Two threads format their message into one buffer, under a lock. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char message[32];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *report(void *number) {
  pthread_mutex_lock(&mutex);
  snprintf(message, sizeof message, "worker %d", *(int *)number);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {1, 2};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, report, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return strchr(message, 'w') != message;
}
