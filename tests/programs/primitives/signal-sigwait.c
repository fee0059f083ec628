// A thread that blocks a signal and takes it by sigwait, and one that sends it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static sigset_t taken;
static pthread_t receiver;
static atomic_int seen;

static void *receive(void *arg) {
    int signal = 0;
    assert(sigwait(&taken, &signal) == 0 && signal == SIGUSR1);
    atomic_store(&seen, 1);
    return arg;
}

static void *send(void *arg) {
    assert(pthread_kill(receiver, SIGUSR1) == 0);
    atomic_store(&seen, 2);
    return arg;
}

int main(void) {
    pthread_t sender;
    sigemptyset(&taken);
    sigaddset(&taken, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &taken, NULL);
    pthread_create(&receiver, NULL, receive, NULL);
    pthread_create(&sender, NULL, send, NULL);
    pthread_join(receiver, NULL);
    pthread_join(sender, NULL);
    return 0;
}
