// A thread is asked to end while it waits, or need not wait, in the middle of a section.
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t permits;

static void *take(void *arg) {
    heddle_atomic_begin();
    sem_wait(&permits);
    heddle_atomic_end();
    return arg;
}

static void *nothing(void *arg) { return arg; }

int main(void) {
    pthread_t other, taker;
    sem_init(&permits, 0, 1);
    pthread_create(&other, NULL, nothing, NULL);
    pthread_create(&taker, NULL, take, NULL);
    pthread_cancel(taker);
    pthread_join(other, NULL);
    pthread_join(taker, NULL);
    return 0;
}
