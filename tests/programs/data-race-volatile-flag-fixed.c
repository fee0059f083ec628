/* The flag is atomic: the thread waits for it, and what was written before is seen. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void* wait_for_it(void* unused) {
    while (!ready)
        ;
    return unused;
}

int main(void) {
    pthread_t waiter;
    pthread_create(&waiter, 0, wait_for_it, 0);
    ready = 1;
    pthread_join(waiter, 0);
}
