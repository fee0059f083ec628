/* A worker that starts before the configuration is published ends only itself and tells main;
   main ends the program with exit(0). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int configured;

static void *worker(void *started)
{
    if (!atomic_load(&configured))
        return NULL;
    *(int *)started = 1;
    return started;
}

int main(void)
{
    pthread_t thread;
    int started = 0;
    void *result;
    pthread_create(&thread, NULL, worker, &started);
    atomic_store(&configured, 1);
    pthread_join(thread, &result);
    if ((result != NULL) != started)
        return 1;
    exit(0);
}
