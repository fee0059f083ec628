// One slot, filled and emptied for ever by a consumer that says that there is room before it is done.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t room, items;
static int slot;

static void* produce(void* unused) {
  (void)unused;
  for (;;) {
    sem_wait(&room);
    assert(slot == 0);  // BUG: not yet emptied
    slot = 5;
    sem_post(&items);
  }
  return 0;
}

int main(void) {
  sem_init(&room, 0, 1);
  sem_init(&items, 0, 0);
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  for (;;) {
    sem_wait(&items);
    assert(slot == 5);  // BUG: emptied too late
    sem_post(&room);
    slot = 0;
  }
}
