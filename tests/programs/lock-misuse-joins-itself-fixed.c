/* A worker that is told to wait for a thread waits only if it is another one. */
#include <pthread.h>

static void *wait_for(void *handle)
{
    if (!pthread_equal(*(pthread_t *)handle, pthread_self()))
        pthread_join(*(pthread_t *)handle, NULL);
    return NULL;
}

static void *idle(void *unused) { return unused; }

int main(void)
{
    pthread_t other, worker;
    pthread_create(&other, NULL, idle, NULL);
    pthread_create(&worker, NULL, wait_for, &other);
    pthread_join(worker, NULL);
    return 0;
}
