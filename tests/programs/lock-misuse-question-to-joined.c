// A thread asks whether another one may be signalled, when that may have been joined.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_t worker, asker;
static atomic_int asked;

static void *work(void *arg) { return arg; }

static void *ask(void *arg) {
    atomic_store(&asked, 1);
    pthread_kill(worker, 0); /* BUG */
    return arg;
}

int main(void) {
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&asker, NULL, ask, NULL);
    pthread_join(worker, NULL);
    pthread_join(asker, NULL);
    return 0;
}
