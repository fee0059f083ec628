// A helper sends a signal for which there is a handler: that the thread it is sent to may still be running, and would
// run the handler, has to be noticed whichever of the two comes first.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int steps;
static pthread_t worker, helper;

static void count(int signal) {
    (void)signal;
    steps += 10;
}

static void *work(void *arg) {
    steps += 1;
    steps += 1;
    return arg;
}

static void *poke(void *arg) {
    pthread_kill(worker, SIGUSR1);
    return arg;
}

int main(void) {
    signal(SIGUSR1, count);
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&helper, NULL, poke, NULL);
    pthread_join(helper, NULL);
    pthread_join(worker, NULL);
    return 0;
}
