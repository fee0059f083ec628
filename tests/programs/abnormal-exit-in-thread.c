/* A worker that starts before the configuration is published gives up with exit(): the whole
   program ends in the middle, with main still at work. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int configured;

static void *worker(void *unused)
{
    (void)unused;
    if (!atomic_load(&configured))
        exit(0); // BUG
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    atomic_store(&configured, 1);
    pthread_join(thread, NULL);
    return 0;
}
