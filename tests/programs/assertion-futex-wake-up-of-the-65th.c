// With more than 63 threads the last bit of a mask stands for several of them. The wake-up of the last thread has races of
// its own, also when one of its neighbours has been signalled after it was.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { IDLE = 62 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waiting;
static atomic_int word, seen;

static void *nothing(void *arg) { return arg; }

static void *wait_for_signal(void *arg) {
    pthread_mutex_lock(&mutex);
    waiting = 1;
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *wake_both(void *arg) {
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    pthread_mutex_lock(&mutex);
    if (waiting) {
        assert(atomic_load(&seen) != 1); /* BUG */
        pthread_cond_signal(&condition);
    }
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *wait_for_wake(void *arg) {
    const int woken = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0;
    atomic_store(&seen, woken ? 1 : 2);
    return arg;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < IDLE; i++)
        pthread_create(&thread, NULL, nothing, NULL);
    pthread_create(&thread, NULL, wait_for_signal, NULL);
    pthread_create(&thread, NULL, wake_both, NULL);
    pthread_create(&thread, NULL, wait_for_wake, NULL);
    return 0;
}
