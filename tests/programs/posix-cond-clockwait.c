// Timed condition waits on the monotonic clock: out of time with the mutex held again, or woken in time.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int ready;

static struct timespec monotonic(long add) {
    struct timespec t;
    assert(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
    t.tv_sec += (t.tv_nsec + add) / 1000000000;
    t.tv_nsec = (t.tv_nsec + add) % 1000000000;
    return t;
}

static int not_before(struct timespec a, struct timespec b) {
    return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec >= b.tv_nsec);
}

static void *setter(void *arg) {
    assert(pthread_mutex_lock(&lock) == 0);
    ready = 1;
    assert(pthread_cond_signal(&changed) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    return arg;
}

int main(void) {
    pthread_condattr_t attr;
    pthread_t thread;
    assert(ready == 0);
    assert(pthread_condattr_init(&attr) == 0);
    assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    assert(pthread_cond_init(&changed, &attr) == 0);
    assert(pthread_condattr_destroy(&attr) == 0);

    assert(pthread_mutex_lock(&lock) == 0);
    struct timespec deadline = monotonic(1000000);
    assert(pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);
    assert(not_before(monotonic(0), deadline));
    deadline = monotonic(1000000);
    assert(pthread_cond_timedwait(&changed, &lock, &deadline) == ETIMEDOUT);
    assert(not_before(monotonic(0), deadline));

    assert(pthread_create(&thread, NULL, setter, NULL) == 0);
    deadline = monotonic(900000000);
    int rc = 0;
    while (!ready && rc == 0)
        rc = pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &deadline);
    assert(rc == 0 ? ready : rc == ETIMEDOUT && not_before(monotonic(0), deadline));
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(ready == 1);
    assert(pthread_cond_destroy(&changed) == 0);
    return 0;
}
