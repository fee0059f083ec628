// pthread_mutex_clocklock: the lock, or the time-out while another thread holds it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec until = {2000, 0};
    pthread_create(&thread, NULL, holder, NULL);
    const int result = pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &until);
    assert(result == 0 || result == ETIMEDOUT);
    if (result == 0) pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
