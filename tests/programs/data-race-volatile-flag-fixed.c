/* What is waited for is a semaphore: the wait ends by itself, and what was written before is seen. */
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;

static void* wait_for_it(void* unused) {
    sem_wait(&ready);
    return unused;
}

int main(void) {
    pthread_t waiter;
    sem_init(&ready, 0, 0);
    pthread_create(&waiter, 0, wait_for_it, 0);
    sem_post(&ready);
    pthread_join(waiter, 0);
}
