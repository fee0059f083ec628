/* Who joins a thread that slept knows how late it is; the creator of a thread passes its time on. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static time_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void *nap(void *arg) {
    const struct timespec half = {.tv_sec = 0, .tv_nsec = 600000000};
    const time_t before = now();
    assert(before >= 1003);
    for (int i = 0; i < 2; i++)
        nanosleep(&half, NULL);
    assert(now() == before + 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    sleep(3);
    pthread_create(&thread, NULL, nap, NULL);
    pthread_join(thread, NULL);
    assert(now() == 1004); // the clock begins at 1000 seconds
    return 0;
}
