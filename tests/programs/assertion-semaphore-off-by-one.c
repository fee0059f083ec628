// A connection pool whose semaphore starts one too high: three queries run on two connections.
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
  assert(busy <= CONNECTIONS);  // BUG
  atomic_fetch_sub(&in_use, 1);
  sem_post(&idle);
  return NULL;
}

int main(void) {
  pthread_t clients[2];
  sem_init(&idle, 0, CONNECTIONS + 1);
  for (int i = 0; i < 2; i++) pthread_create(&clients[i], NULL, query, NULL);
  query(NULL);
  for (int i = 0; i < 2; i++) pthread_join(clients[i], NULL);
  sem_destroy(&idle);
  return 0;
}
