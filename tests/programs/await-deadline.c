// A loop that looks at the clock ends by itself.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static atomic_int flag;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_nsec;
}

static void *look(void *arg) {
    const long end = now() + 4000;
    while (!atomic_load(&flag)) {
        assert(now() < end); // BUG
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
