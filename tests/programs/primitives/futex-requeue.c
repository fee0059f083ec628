// A broadcast that wakes one sleeper and moves the other to the queue of a second futex, where it is woken later.
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint condition, mutex;

static void *sleeper(void *arg) {
    while (atomic_load(&condition) == 0) syscall(SYS_futex, &condition, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, sleeper, NULL);
    pthread_create(&second, NULL, sleeper, NULL);
    atomic_store(&condition, 1);
    const long moved = syscall(SYS_futex, &condition, FUTEX_CMP_REQUEUE_PRIVATE, 1, INT_MAX, &mutex, 1);
    assert(moved >= 0 && moved <= 2);
    const long woken = syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    assert(woken == (moved > 1 ? 1 : 0));
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
