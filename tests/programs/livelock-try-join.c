// Main looks again and again whether a thread has ended. The thread waits for what main does afterwards.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>

static sem_t go;

static void* wait_for_main(void* unused) {
    sem_wait(&go);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&go, 0, 0);
    pthread_create(&thread, NULL, wait_for_main, NULL);
    while (pthread_tryjoin_np(thread, NULL) != 0) { // BUG
    }
    sem_post(&go);
}
