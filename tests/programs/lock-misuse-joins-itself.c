/* A worker that is told to wait for a thread waits for itself. */
#include <pthread.h>

static void *wait_for_self(void *unused)
{
    pthread_join(pthread_self(), NULL); // BUG
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, wait_for_self, NULL);
    pthread_join(worker, NULL);
    return 0;
}
