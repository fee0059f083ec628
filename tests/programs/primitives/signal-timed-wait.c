// sigtimedwait: the signal, or the time-out.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static sigset_t taken;

static void *receive(void *arg) {
    const struct timespec limit = {0, 1000000};
    const int signal = sigtimedwait(&taken, NULL, &limit);
    assert(signal == SIGUSR2 || (signal == -1 && errno == EAGAIN));
    return arg;
}

int main(void) {
    pthread_t receiver;
    const struct timespec none = {0, 0};
    sigemptyset(&taken);
    sigaddset(&taken, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &taken, NULL);
    assert(sigtimedwait(&taken, NULL, &none) == -1 && errno == EAGAIN);
    pthread_create(&receiver, NULL, receive, NULL);
    pthread_kill(receiver, SIGUSR2);
    pthread_join(receiver, NULL);
    return 0;
}
