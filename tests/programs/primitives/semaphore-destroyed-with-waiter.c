// Main destroys the semaphore while the worker may still wait for it.
#include <pthread.h>
#include <semaphore.h>

static sem_t *job;

static void *worker(void *arg) {
    sem_wait(job);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_t semaphore;
    job = &semaphore;
    sem_init(job, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_destroy(job); /* BUG */
    pthread_join(thread, NULL);
    return 0;
}
