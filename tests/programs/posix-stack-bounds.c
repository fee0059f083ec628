// A thread asks where its stack is: its locals lie inside, and the size is at least what was requested.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { REQUESTED = 1 << 20 };
static atomic_int asked;

static void check_bounds(size_t least) {
    pthread_attr_t attr;
    void *base;
    size_t size;
    volatile int local = 0;
    assert(pthread_getattr_np(pthread_self(), &attr) == 0);
    assert(pthread_attr_getstack(&attr, &base, &size) == 0);
    assert(pthread_attr_destroy(&attr) == 0);
    assert(size >= least);
    uintptr_t here = (uintptr_t)&local, low = (uintptr_t)base;
    assert(here >= low && here < low + size);
}

static void *worker(void *arg) {
    atomic_fetch_add(&asked, 1);
    check_bounds(REQUESTED);
    return arg;
}

int main(void) {
    pthread_attr_t attr;
    pthread_t first, second;
    assert(atomic_load(&asked) == 0);
    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_setstacksize(&attr, REQUESTED) == 0);
    assert(pthread_create(&first, &attr, worker, NULL) == 0);
    assert(pthread_create(&second, &attr, worker, NULL) == 0);
    check_bounds(1);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(pthread_attr_destroy(&attr) == 0);
    return 0;
}
