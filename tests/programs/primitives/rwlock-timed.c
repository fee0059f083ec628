// Timed forms of a rwlock.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *arg) {
    assert(pthread_rwlock_wrlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    const struct timespec until = {2000, 0}, invalid = {0, -1};
    pthread_create(&thread, NULL, writer, NULL);
    const int result = pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &until);
    assert(result == 0 || result == ETIMEDOUT);
    if (result == 0) pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    assert(pthread_rwlock_timedwrlock(&lock, &invalid) == EINVAL);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_REALTIME, &until) == 0);
    assert(pthread_rwlock_timedrdlock(&lock, &until) == EDEADLK);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_timedrdlock(&lock, &until) == 0 && pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}
