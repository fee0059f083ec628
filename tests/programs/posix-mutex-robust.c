// A robust mutex survives its owner: the next locker learns of the death and repairs, or gives it up for good.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t repaired, abandoned;
static int half_done;

static void *dies_holding(void *arg) {
    assert(pthread_mutex_lock(&repaired) == 0);
    half_done = 1;
    assert(pthread_mutex_lock(&abandoned) == 0);
    return arg;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_t thread;
    assert(half_done == 0);
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutex_init(&repaired, &attr) == 0);
    assert(pthread_mutex_init(&abandoned, &attr) == 0);
    assert(pthread_mutexattr_destroy(&attr) == 0);

    assert(pthread_create(&thread, NULL, dies_holding, NULL) == 0);
    int rc = pthread_mutex_lock(&repaired); // before the thread, or woken by its end
    if (rc == 0) {
        assert(half_done == 0);
        assert(pthread_mutex_unlock(&repaired) == 0);
        assert(pthread_join(thread, NULL) == 0);
        rc = pthread_mutex_lock(&repaired);
    } else {
        assert(pthread_join(thread, NULL) == 0);
    }
    assert(rc == EOWNERDEAD);
    assert(half_done == 1);
    half_done = 0;
    assert(pthread_mutex_consistent(&repaired) == 0);
    assert(pthread_mutex_consistent(&repaired) == EINVAL);
    assert(pthread_mutex_unlock(&repaired) == 0);
    assert(pthread_mutex_trylock(&repaired) == 0);
    assert(pthread_mutex_unlock(&repaired) == 0);

    assert(pthread_mutex_trylock(&abandoned) == EOWNERDEAD);
    assert(pthread_mutex_unlock(&abandoned) == 0);
    assert(pthread_mutex_lock(&abandoned) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&abandoned) == ENOTRECOVERABLE);
    assert(pthread_mutex_destroy(&repaired) == 0);
    assert(pthread_mutex_destroy(&abandoned) == 0);
    return 0;
}
