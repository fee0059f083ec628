/* A thread that has published a variable on its stack counts for ever, without an operation that others could see. The variable is
   still there, and main may look at it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(atomic_int *) published;

static void *count(void *arg) {
    atomic_int steps = 1;
    volatile long rounds = 0;
    atomic_store(&published, &steps);
    for (;;)
        ++rounds;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    pthread_detach(thread);
    atomic_int *steps = atomic_load(&published);
    return steps != NULL && atomic_load(steps) != 1;
}
