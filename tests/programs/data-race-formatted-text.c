/* Two threads format their message into one buffer, inside the C library. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char message[32];

static void *report(void *number) {
  snprintf(message, sizeof message, "worker %d", *(int *)number); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {1, 2};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, report, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return strchr(message, 'w') != message;
}
