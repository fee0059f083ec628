/* A watchdog that sees no progress between two looks at the heartbeat kills the process with
   _exit(): a slow but healthy main is enough. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int heartbeat;

static void *watchdog(void *unused)
{
    (void)unused;
    int before = atomic_load(&heartbeat);
    if (atomic_load(&heartbeat) == before)
        _exit(3); // BUG
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, watchdog, NULL);
    for (int round = 0; round < 3; round++)
        atomic_fetch_add(&heartbeat, 1);
    pthread_join(thread, NULL);
    return 0;
}
