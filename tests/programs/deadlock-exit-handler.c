/* An exit handler takes a lock that a thread holds for ever. That thread would end with the process, but there is no end. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t taken, never;

static void at_end(void)
{
    pthread_mutex_lock(&lock);  // BUG
    pthread_mutex_unlock(&lock);
}

static void *hold(void *unused)
{
    pthread_mutex_lock(&lock);
    sem_post(&taken);
    sem_wait(&never);
    pthread_mutex_unlock(&lock);
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
