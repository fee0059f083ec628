// Threads with their own stack sizes: a deep recursion fits into two megabytes, a modest one into 256 kilobytes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int running;

static int recurse(int depth) {
    volatile char frame[1024];
    memset((char *)frame, depth & 0x7f, sizeof frame);
    int below = depth > 0 ? recurse(depth - 1) : 0;
    assert(frame[0] == (depth & 0x7f) && frame[1023] == (depth & 0x7f));
    return below + 1;
}

static void *worker(void *arg) {
    int depth = *(int *)arg;
    char mark[4096];
    memset(mark, 'm', sizeof mark);
    atomic_fetch_add(&running, 1);
    *(int *)arg = recurse(depth);
    atomic_fetch_sub(&running, 1);
    for (unsigned i = 0; i < sizeof mark; i += 64)
        assert(mark[i] == 'm');
    return NULL;
}

int main(void) {
    pthread_attr_t attr;
    pthread_t deep, small;
    int depths[2] = {600, 20};
    assert(atomic_load(&running) == 0);
    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_setstacksize(&attr, 2 << 20) == 0);
    assert(pthread_create(&deep, &attr, worker, &depths[0]) == 0);
    assert(pthread_attr_setstacksize(&attr, 256 << 10) == 0);
    assert(pthread_create(&small, &attr, worker, &depths[1]) == 0);
    assert(pthread_attr_destroy(&attr) == 0);
    assert(pthread_join(deep, NULL) == 0);
    assert(pthread_join(small, NULL) == 0);
    assert(depths[0] == 601 && depths[1] == 21);
    assert(atomic_load(&running) == 0);
    return 0;
}
