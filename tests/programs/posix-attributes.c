// Attribute objects keep what is set, start with the defaults and refuse values outside their range.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void mutex_attributes(void) {
    pthread_mutexattr_t a;
    int value;
    assert(pthread_mutexattr_init(&a) == 0);
    assert(pthread_mutexattr_gettype(&a, &value) == 0 && value == PTHREAD_MUTEX_DEFAULT);
    static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_RECURSIVE};
    for (int i = 0; i < 3; i++) {
        assert(pthread_mutexattr_settype(&a, types[i]) == 0);
        assert(pthread_mutexattr_gettype(&a, &value) == 0 && value == types[i]);
    }
    assert(pthread_mutexattr_settype(&a, 99) == EINVAL);
    assert(pthread_mutexattr_getrobust(&a, &value) == 0 && value == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutexattr_getrobust(&a, &value) == 0 && value == PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutexattr_getpshared(&a, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_getpshared(&a, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_getprotocol(&a, &value) == 0 && value == PTHREAD_PRIO_NONE);
    assert(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_getprotocol(&a, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_gettype(&a, &value) == 0 && value == PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutexattr_destroy(&a) == 0);
}

static void other_sync_attributes(void) {
    pthread_condattr_t c;
    clockid_t clock;
    int value;
    assert(pthread_condattr_init(&c) == 0);
    assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_REALTIME);
    assert(pthread_condattr_setclock(&c, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_setclock(&c, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
    assert(pthread_condattr_destroy(&c) == 0);

    pthread_rwlockattr_t r;
    assert(pthread_rwlockattr_init(&r) == 0);
    assert(pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlockattr_getpshared(&r, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_rwlockattr_destroy(&r) == 0);

    pthread_barrierattr_t b;
    assert(pthread_barrierattr_init(&b) == 0);
    assert(pthread_barrierattr_getpshared(&b, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_barrierattr_setpshared(&b, 7) == EINVAL);
    assert(pthread_barrierattr_destroy(&b) == 0);
}

static void thread_attributes(void) {
    pthread_attr_t t;
    size_t size;
    int value;
    assert(pthread_attr_init(&t) == 0);
    assert(pthread_attr_getdetachstate(&t, &value) == 0 && value == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&t, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_getdetachstate(&t, &value) == 0 && value == PTHREAD_CREATE_DETACHED);
    assert(pthread_attr_setdetachstate(&t, 99) == EINVAL);
    assert(pthread_attr_setstacksize(&t, 1 << 20) == 0);
    assert(pthread_attr_getstacksize(&t, &size) == 0 && size == 1 << 20);
    assert(pthread_attr_setstacksize(&t, 1024) == EINVAL);
    assert(pthread_attr_setguardsize(&t, 8192) == 0);
    assert(pthread_attr_getguardsize(&t, &size) == 0 && size == 8192);
    assert(pthread_attr_setinheritsched(&t, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_getinheritsched(&t, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
    assert(pthread_attr_getschedpolicy(&t, &value) == 0 && value == SCHED_OTHER);
    assert(pthread_attr_getscope(&t, &value) == 0 && value == PTHREAD_SCOPE_SYSTEM);
    assert(pthread_attr_destroy(&t) == 0);
}

int main(void) {
    mutex_attributes();
    other_sync_attributes();
    thread_attributes();
    return 0;
}
