// A thread waits with a robust mutex, and who signals it ends holding that: the wait says so, as a lock would.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waiting, signalled, result = -1;

static void *wait_once(void *arg) {
    pthread_mutex_lock(&mutex);
    if (!signalled) {
        waiting = 1;
        result = pthread_cond_wait(&condition, &mutex);
        assert(result == EOWNERDEAD);
        assert(pthread_mutex_consistent(&mutex) == 0);
    }
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *signal_and_end(void *arg) {
    pthread_mutex_lock(&mutex);
    if (waiting) {
        pthread_cond_signal(&condition);
    } else {
        signalled = 1;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void) {
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, wait_once, NULL);
    pthread_create(&threads[1], NULL, signal_and_end, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
