/* A watchdog that sees no progress between two looks at the heartbeat only counts the miss. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int heartbeat;
static atomic_int misses;

static void *watchdog(void *unused)
{
    (void)unused;
    int before = atomic_load(&heartbeat);
    if (atomic_load(&heartbeat) == before)
        atomic_fetch_add(&misses, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, watchdog, NULL);
    for (int round = 0; round < 3; round++)
        atomic_fetch_add(&heartbeat, 1);
    pthread_join(thread, NULL);
    assert(atomic_load(&misses) <= 1);
    return 0;
}
