// A helper sends a signal to a worker that is not joined before the helper is.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_t worker, helper;

static void *work(void *arg) { return arg; }

static void *poke(void *arg) {
    pthread_kill(worker, SIGUSR1);
    return arg;
}

int main(void) {
    signal(SIGUSR1, SIG_IGN);
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&helper, NULL, poke, NULL);
    pthread_join(helper, NULL);
    pthread_join(worker, NULL);
    return 0;
}
