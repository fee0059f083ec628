/* The first readers-writers problem: the first reader in locks writers out, the last one out lets them in; counting is under a
   guard. If it is not (UNGUARDED), a second reader goes in while the first still waits for the writer to leave. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t room, guard;
static atomic_int readers;
static int data;

static void enter_guard(void) {
#ifndef UNGUARDED
  sem_wait(&guard);
#endif
}
static void leave_guard(void) {
#ifndef UNGUARDED
  sem_post(&guard);
#endif
}

static void *reader(void *arg) {
  enter_guard();
  const int before = atomic_load(&readers);
  atomic_store(&readers, before + 1);
  if (before == 0) sem_wait(&room);
  leave_guard();
  assert(data % 2 == 0);
  enter_guard();
  const int now = atomic_load(&readers);
  atomic_store(&readers, now - 1);
  if (now == 1) sem_post(&room);
  leave_guard();
  return arg;
}

int main(void) {
  sem_init(&room, 0, 1);
  sem_init(&guard, 0, 1);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, reader, NULL);
  sem_wait(&room);
  ++data;
  ++data;
  sem_post(&room);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
