// The classic signal thread: all threads block SIGTERM, one waits for it, whoever it was sent by.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static sigset_t taken;
static atomic_int stop;

static void *signal_thread(void *arg) {
    siginfo_t info;
    assert(sigwaitinfo(&taken, &info) == SIGTERM && info.si_signo == SIGTERM);
    atomic_store(&stop, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    sigset_t pending;
    sigemptyset(&taken);
    sigaddset(&taken, SIGTERM);
    assert(pthread_sigmask(SIG_BLOCK, &taken, NULL) == 0);
    pthread_create(&thread, NULL, signal_thread, NULL);
    kill(getpid(), SIGTERM);
    pthread_join(thread, NULL);
    assert(atomic_load(&stop) == 1);
    assert(sigpending(&pending) == 0 && !sigismember(&pending, SIGTERM));
    return 0;
}
