/* Whoever is told to destroys the barrier, be the other one still about to leave it. */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *meet(void *unused)
{
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&barrier);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, meet, NULL);
    meet(NULL);
    pthread_join(thread, NULL);
    pthread_barrier_init(&barrier, NULL, 1);
    meet(NULL);
    return 0;
}
