/* A consumer takes an item only if sem_timedwait succeeded. */
#include <assert.h>
#include <errno.h>
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
    if (sem_timedwait(&available, &deadline) != 0) {
        assert(errno == ETIMEDOUT);
        return;
    }
    int before = atomic_fetch_sub(&items, 1);
    assert(before > 0);
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
