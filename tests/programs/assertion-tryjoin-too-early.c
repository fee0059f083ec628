/* A thread whose last store has been seen need not have ended: an attempt to join it may still come
   too early. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *unused)
{
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    int seen = atomic_load(&done);
    int busy = pthread_tryjoin_np(worker, NULL);
    if (seen)
        assert(!busy); // BUG
    if (busy)
        pthread_join(worker, NULL);
    return 0;
}
