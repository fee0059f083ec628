/* A loader that was cancelled returns without setting the "ready" flag; main has joined it and
   spins on the flag for ever. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cancelled;
static atomic_int ready;

static void *load_index(void *unused)
{
    (void)unused;
    if (atomic_load(&cancelled))
        return NULL;
    atomic_store(&ready, 1);
    return NULL;
}

int main(void)
{
    pthread_t loader;
    pthread_create(&loader, NULL, load_index, NULL);
    atomic_store(&cancelled, 1);
    pthread_join(loader, NULL);
    while (!atomic_load(&ready)) // BUG
        ;
    return 0;
}
