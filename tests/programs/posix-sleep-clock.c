// Sleeping takes at least the time asked for, clocks never run backwards, and bad arguments are refused.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int awake;

static long long now(clockid_t clock) {
    struct timespec t;
    assert(clock_gettime(clock, &t) == 0);
    assert(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *sleeper(void *arg) {
    long long begin = now(CLOCK_MONOTONIC);
    struct timespec nap = {.tv_sec = 0, .tv_nsec = 1000000};
    assert(nanosleep(&nap, NULL) == 0);
    long long middle = now(CLOCK_MONOTONIC);
    assert(middle - begin >= 1000000);
    atomic_fetch_add(&awake, 1);
    assert(usleep(500) == 0);
    assert(now(CLOCK_MONOTONIC) - middle >= 500000);
    return arg;
}

int main(void) {
    pthread_t first, second;
    struct timespec bad = {.tv_sec = 0, .tv_nsec = 1000000000}, until;
    assert(atomic_load(&awake) == 0);
    assert(clock_gettime((clockid_t)12345, &until) == -1 && errno == EINVAL);
    assert(nanosleep(&bad, NULL) == -1 && errno == EINVAL);
    assert(clock_getres(CLOCK_MONOTONIC, &until) == 0 && until.tv_sec == 0);
    long long begin = now(CLOCK_MONOTONIC), wall = now(CLOCK_REALTIME);
    time_t seconds = time(NULL);

    assert(pthread_create(&first, NULL, sleeper, NULL) == 0);
    assert(pthread_create(&second, NULL, sleeper, NULL) == 0);
    assert(sched_yield() == 0);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(now(CLOCK_MONOTONIC) - begin >= 1500000);
    assert(now(CLOCK_REALTIME) > wall && time(NULL) >= seconds);

    long long target = now(CLOCK_MONOTONIC) + 300000;
    until.tv_sec = target / 1000000000;
    until.tv_nsec = target % 1000000000;
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
    assert(now(CLOCK_MONOTONIC) >= target);
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0); // already past
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, NULL) == EINVAL);
    assert(atomic_load(&awake) == 2);
    return 0;
}
