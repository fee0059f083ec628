// A helper sends a signal to a worker that main may have joined by then: its handle stands for nothing any more.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_t worker, helper;

static void *work(void *arg) { return arg; }

static void *poke(void *arg) {
    pthread_kill(worker, SIGUSR1); /* BUG */
    return arg;
}

int main(void) {
    signal(SIGUSR1, SIG_IGN);
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&helper, NULL, poke, NULL);
    pthread_join(worker, NULL);
    pthread_join(helper, NULL);
    return 0;
}
