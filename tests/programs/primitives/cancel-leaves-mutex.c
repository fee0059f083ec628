// Without a cleanup handler the cancelled thread leaves its mutex locked.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t job;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    sem_wait(&job);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&job, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock); /* BUG */
    return 0;
}
