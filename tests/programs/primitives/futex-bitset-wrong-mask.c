// The wake's mask does not match the sleeper's: it sleeps on.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word;

static void *sleeper(void *arg) {
    while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 1); /* BUG */
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleeper, NULL);
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 2);
    pthread_join(thread, NULL);
    return 0;
}
