/* An attempt to join a thread that has not ended is followed by a join that waits. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;
static pthread_t worker;

static void *work(void *unused)
{
    atomic_store(&done, 1);
    return unused;
}

static void *collect(void *unused)
{
    int busy = pthread_tryjoin_np(worker, NULL);
    if (busy)
        pthread_join(worker, NULL);
    return unused;
}

int main(void)
{
    pthread_t collector;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&collector, NULL, collect, NULL);
    pthread_join(collector, NULL);
    return atomic_load(&done) > 1;
}
