/* A thread that waits for work is ended with pthread_cancel(). */
#include <pthread.h>
#include <semaphore.h>

static sem_t work;

static void *worker(void *unused)
{
    (void)unused;
    sem_wait(&work);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *result;
    sem_init(&work, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    sem_destroy(&work);
    return result == PTHREAD_CANCELED ? 0 : 1;
}
