// The sleeper that was moved to the second futex is never woken there.
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint condition, mutex;

static void *sleeper(void *arg) {
    while (atomic_load(&condition) == 0) syscall(SYS_futex, &condition, FUTEX_WAIT, 0, NULL, NULL, 0); /* BUG */
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, sleeper, NULL);
    pthread_create(&second, NULL, sleeper, NULL);
    atomic_store(&condition, 1);
    syscall(SYS_futex, &condition, FUTEX_REQUEUE, 1, INT_MAX, &mutex, 0);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
