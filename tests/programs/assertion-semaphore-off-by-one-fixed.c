// A connection pool guarded by a semaphore with exactly one permit for each connection.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

enum { CONNECTIONS = 2 };

static sem_t idle;
static atomic_int in_use;

static void* query(void* arg) {
  (void)arg;
  sem_wait(&idle);
  int busy = atomic_fetch_add(&in_use, 1) + 1;
  assert(busy <= CONNECTIONS);
  atomic_fetch_sub(&in_use, 1);
  sem_post(&idle);
  return NULL;
}

int main(void) {
  pthread_t clients[2];
  sem_init(&idle, 0, CONNECTIONS);
  for (int i = 0; i < 2; i++) pthread_create(&clients[i], NULL, query, NULL);
  query(NULL);
  for (int i = 0; i < 2; i++) pthread_join(clients[i], NULL);
  sem_destroy(&idle);
  return 0;
}
