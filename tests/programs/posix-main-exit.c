// main leaves by pthread_exit: the process goes on until the last thread ends, and only then runs the exit handlers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int finished, main_left;

static void at_end(void) { assert(atomic_load(&main_left) == 1 && atomic_load(&finished) == 2); }
static void main_leaves(void *arg) { atomic_store((atomic_int *)arg, 1); }

static void *independent(void *arg) {
    atomic_fetch_add(&finished, 1);
    return arg;
}

static void start_detached(void) {
    pthread_t thread;
    assert(pthread_create(&thread, NULL, independent, NULL) == 0);
    assert(pthread_detach(thread) == 0);
}

int main(void) {
    assert(atomic_load(&finished) == 0 && atomic_load(&main_left) == 0);
    assert(atexit(at_end) == 0);
    pthread_cleanup_push(main_leaves, &main_left);
    start_detached();
    start_detached();
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
    return 1;
}
