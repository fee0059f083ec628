// The wake may come before the wait, and the store after it: the waiter sleeps for ever. A wait that finds the word
// changed does not get into the queue, and yet its order with the wake matters: without the store in between it would.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static atomic_int other;

static void *waits(void *arg) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); /* BUG */
    return arg;
}

static void *stores(void *arg) {
    (void)atomic_load(&other);
    atomic_store(&word, 1);
    return arg;
}

static void *wakes(void *arg) {
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, waits, NULL);
    pthread_create(&threads[1], NULL, stores, NULL);
    pthread_create(&threads[2], NULL, wakes, NULL);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    return 0;
}
