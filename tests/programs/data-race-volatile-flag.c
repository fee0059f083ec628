/* A thread waits for a flag that is volatile, which orders nothing: the wait is a data race, and on its own it never ends. */
#include <pthread.h>

static volatile int ready;

static void* wait_for_it(void* unused) {
    while (!ready) /* BUG */
        ;
    return unused;
}

int main(void) {
    pthread_t waiter;
    pthread_create(&waiter, 0, wait_for_it, 0);
    ready = 1; /* BUG */
    pthread_join(waiter, 0);
}
