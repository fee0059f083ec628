// The owner keeps the lock until told to let go, so a timed lock can only run into its deadline; afterwards it succeeds.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t held, let_go;

static void *owner(void *arg) {
    (void)arg;
    assert(pthread_mutex_lock(&lock) == 0);
    assert(sem_post(&held) == 0);
    assert(sem_wait(&let_go) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    return NULL;
}

static struct timespec in_two_milliseconds(void) {
    struct timespec t;
    assert(clock_gettime(CLOCK_REALTIME, &t) == 0);
    t.tv_nsec += 2000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

int main(void) {
    pthread_t thread;
    assert(sem_init(&held, 0, 0) == 0 && sem_init(&let_go, 0, 0) == 0);
    assert(pthread_create(&thread, NULL, owner, NULL) == 0);
    assert(sem_wait(&held) == 0);

    struct timespec deadline = in_two_milliseconds(), now;
    assert(pthread_mutex_timedlock(&lock, &deadline) == ETIMEDOUT);
    assert(clock_gettime(CLOCK_REALTIME, &now) == 0);
    assert(now.tv_sec > deadline.tv_sec || (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec));
    struct timespec invalid = {.tv_sec = deadline.tv_sec, .tv_nsec = 1000000000};
    assert(pthread_mutex_timedlock(&lock, &invalid) == EINVAL);
    struct timespec past = {.tv_sec = 1, .tv_nsec = 0};
    assert(pthread_mutex_timedlock(&lock, &past) == ETIMEDOUT);

    assert(sem_post(&let_go) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_mutex_timedlock(&lock, &past) == 0); // free: no deadline is looked at
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(sem_destroy(&held) == 0 && sem_destroy(&let_go) == 0);
    return 0;
}
