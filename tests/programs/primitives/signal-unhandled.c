// Nobody blocks or handles the signal: it ends the program.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t stop;

static void *work(void *arg) {
    sem_wait(&stop);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&stop, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1); /* BUG */
    sem_post(&stop);
    pthread_join(thread, NULL);
    return 0;
}
