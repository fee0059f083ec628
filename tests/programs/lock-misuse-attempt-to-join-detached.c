// One thread attempts to join another, which a third one may have detached before.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_t worker;
static sem_t never;

static void *work(void *arg) {
    sem_wait(&never);
    return arg;
}

static void *attempt(void *arg) {
    pthread_tryjoin_np(worker, NULL); /* BUG */
    return arg;
}

static void *detach(void *arg) {
    pthread_detach(worker);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&never, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&threads[0], NULL, attempt, NULL);
    pthread_create(&threads[1], NULL, detach, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
