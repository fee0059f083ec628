/* A thread that waits for ever when main returns ends with the process, if the exit handlers come to an end. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t taken, never;

static void at_end(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *hold(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    sem_post(&taken);
    sem_wait(&never);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&taken, 0, 0);
    sem_init(&never, 0, 0);
    atexit(at_end);
    pthread_create(&thread, NULL, hold, NULL);
    pthread_detach(thread);
    sem_wait(&taken);
    return 0;
}
