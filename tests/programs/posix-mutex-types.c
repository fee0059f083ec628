// Error-checking and recursive mutexes: every refusal carries the code POSIX gives, and ownership counts.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t checked, nested;
static int guarded;

static void *stranger(void *arg) {
    (void)arg;
    assert(pthread_mutex_trylock(&checked) == EBUSY);
    assert(pthread_mutex_unlock(&checked) == EPERM);
    assert(pthread_mutex_trylock(&nested) == EBUSY);
    assert(pthread_mutex_unlock(&nested) == EPERM);
    return NULL;
}

static void *successor(void *arg) {
    (void)arg;
    assert(pthread_mutex_lock(&nested) == 0);
    assert(pthread_mutex_trylock(&nested) == 0);
    guarded++;
    assert(pthread_mutex_unlock(&nested) == 0);
    assert(pthread_mutex_unlock(&nested) == 0);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_t thread;
    struct timespec soon;
    assert(guarded == 0);
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutex_init(&checked, &attr) == 0);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutex_init(&nested, &attr) == 0);
    assert(pthread_mutexattr_destroy(&attr) == 0);

    assert(pthread_mutex_unlock(&checked) == EPERM);
    assert(pthread_mutex_lock(&checked) == 0);
    assert(pthread_mutex_lock(&checked) == EDEADLK);
    assert(pthread_mutex_trylock(&checked) == EBUSY);
    assert(clock_gettime(CLOCK_REALTIME, &soon) == 0);
    assert(pthread_mutex_timedlock(&checked, &soon) == EDEADLK);
    assert(pthread_mutex_unlock(&nested) == EPERM);
    for (int depth = 0; depth < 3; depth++)
        assert(pthread_mutex_lock(&nested) == 0);

    assert(pthread_create(&thread, NULL, stranger, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_mutex_unlock(&checked) == 0);
    assert(pthread_mutex_unlock(&checked) == EPERM);

    assert(pthread_create(&thread, NULL, successor, NULL) == 0);
    assert(pthread_mutex_unlock(&nested) == 0);
    assert(pthread_mutex_unlock(&nested) == 0);
    guarded++; // still held once: the successor cannot be inside
    assert(pthread_mutex_unlock(&nested) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_mutex_unlock(&nested) == EPERM);
    assert(guarded == 2);
    assert(pthread_mutex_destroy(&checked) == 0);
    assert(pthread_mutex_destroy(&nested) == 0);
    return 0;
}
