// A handler that would interrupt another thread is refused by name.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t stop;

static void on_signal(int signal) { (void)signal; }

static void *work(void *arg) {
    sem_wait(&stop);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&stop, 0, 0);
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    sem_post(&stop);
    pthread_join(thread, NULL);
    return 0;
}
