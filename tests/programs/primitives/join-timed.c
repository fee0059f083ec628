// A join with a deadline, and one that only looks.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int done;

static void *work(void *arg) {
    atomic_store(&done, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    const struct timespec until = {2000, 0};
    void *result = NULL;
    pthread_create(&thread, NULL, work, &done);
    const int error = pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &until);
    if (error != 0) {
        assert(error == ETIMEDOUT);
        pthread_join(thread, &result);
    }
    assert(result == &done && atomic_load(&done) == 1);
    return 0;
}
