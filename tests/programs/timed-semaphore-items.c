/* A consumer ignores that sem_timedwait ran out of time and takes an item that was never put. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t available;
static atomic_int items;

static void *produce(void *unused)
{
    (void)unused;
    atomic_fetch_add(&items, 1);
    sem_post(&available);
    return NULL;
}

static void consume(void)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    sem_timedwait(&available, &deadline);
    int before = atomic_fetch_sub(&items, 1);
    assert(before > 0); // BUG
}

int main(void)
{
    pthread_t producer;
    sem_init(&available, 0, 0);
    pthread_create(&producer, NULL, produce, NULL);
    consume();
    pthread_join(producer, NULL);
    sem_destroy(&available);
    return 0;
}
