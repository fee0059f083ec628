// A wait gives back a mutex that nobody has declared consistent: nobody can have it any more, and the wait says so, also
// when its time is up.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *end_holding(void *arg) {
    pthread_mutex_lock(&mutex);
    return arg;
}

int main(void) {
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    pthread_t thread;
    pthread_create(&thread, NULL, end_holding, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    const struct timespec long_ago = {0, 0};
    assert(pthread_cond_timedwait(&never, &mutex, &long_ago) == ENOTRECOVERABLE);
    assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    return 0;
}
