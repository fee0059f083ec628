/* Another thread has run before, most of the time: an attempt to join it may still come before its last operation. */
#define _GNU_SOURCE
#include <assert.h>
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
    assert(!busy); // BUG
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
