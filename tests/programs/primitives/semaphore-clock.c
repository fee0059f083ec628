// Timed waits by either clock: they succeed, or fail at the deadline.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t permits;

static void *post(void *arg) {
    sem_post(&permits);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    sem_init(&permits, 0, 0);
    pthread_create(&thread, NULL, post, NULL);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 1;
    const int result = sem_clockwait(&permits, CLOCK_MONOTONIC, &until);
    assert(result == 0 || errno == ETIMEDOUT);
    pthread_join(thread, NULL);
    if (result != 0) assert(sem_trywait(&permits) == 0);
    assert(sem_trywait(&permits) == -1 && errno == EAGAIN);
    clock_gettime(CLOCK_REALTIME, &until);
    assert(sem_timedwait(&permits, &until) == -1 && errno == ETIMEDOUT);
    sem_destroy(&permits);
    return 0;
}
