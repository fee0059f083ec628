// Two signals that are pending together are one: the second sigwait may wait for ever.
#include <pthread.h>
#include <signal.h>

static sigset_t taken;

static void *receive(void *arg) {
    int signal = 0;
    sigwait(&taken, &signal);
    sigwait(&taken, &signal); /* BUG */
    return arg;
}

int main(void) {
    pthread_t receiver;
    sigemptyset(&taken);
    sigaddset(&taken, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &taken, NULL);
    pthread_create(&receiver, NULL, receive, NULL);
    pthread_kill(receiver, SIGUSR1);
    pthread_kill(receiver, SIGUSR1);
    pthread_join(receiver, NULL);
    return 0;
}
