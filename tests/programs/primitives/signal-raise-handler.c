// A handler runs before raise returns; a blocked signal when it is unblocked; an ignored one never.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t calls;

static void on_signal(int signal) { calls += signal == SIGUSR1; }

int main(void) {
    struct sigaction action = {.sa_handler = on_signal}, old;
    sigset_t set;
    sigemptyset(&action.sa_mask);
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == on_signal);
    raise(SIGUSR1);
    assert(calls == 1);
    pthread_kill(pthread_self(), SIGUSR1);
    assert(calls == 2);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    assert(calls == 2);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(calls == 3);
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    assert(calls == 3);
    return 0;
}
