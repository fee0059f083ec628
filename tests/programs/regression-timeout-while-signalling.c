// A timed wait may run out while the signaller holds the mutex: when the waiter has the mutex again, what it
// waited for has happened all the same, contrary to the assertion.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int ready, seen, gave_up;

static void *await(void *arg) {
    struct timespec deadline;
    int rc = 0;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    pthread_mutex_lock(&lock);
    while (!ready && rc == 0)
        rc = pthread_cond_timedwait(&arrived, &lock, &deadline);
    if (rc == ETIMEDOUT) {
        assert(!ready); // BUG
        gave_up = 1;
    } else {
        seen = 1;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *announce(void *arg) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t waiter, signaller;
    pthread_create(&waiter, NULL, await, NULL);
    pthread_create(&signaller, NULL, announce, NULL);
    pthread_join(waiter, NULL);
    pthread_join(signaller, NULL);
    assert(seen + gave_up == 1);
    return 0;
}
