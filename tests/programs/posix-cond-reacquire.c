// pthread_cond_wait gives the mutex up while asleep and owns it again when it returns, wherever the waker stands.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage;

static void *waiter(void *arg) {
    assert(pthread_mutex_lock(&lock) == 0);
    while (stage == 0)
        assert(pthread_cond_wait(&changed, &lock) == 0);
    assert(stage == 2); // the waker held the lock through both steps
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    stage = 3;
    assert(pthread_mutex_unlock(&lock) == 0);
    return arg;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_t thread;
    assert(stage == 0);
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutex_init(&lock, &attr) == 0);
    assert(pthread_mutexattr_destroy(&attr) == 0);
    assert(pthread_create(&thread, NULL, waiter, NULL) == 0);

    assert(pthread_mutex_lock(&lock) == 0); // would never return if the sleeper kept it
    stage = 1;
    assert(pthread_cond_signal(&changed) == 0);
    assert(stage == 1);
    stage = 2;
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(stage == 3);
    assert(pthread_cond_broadcast(&changed) == 0); // nobody there: no effect
    assert(pthread_cond_destroy(&changed) == 0);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
