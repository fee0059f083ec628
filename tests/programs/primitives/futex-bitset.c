// Two kinds of sleepers on one futex word: a wake with a mask wakes only those it concerns.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word;
static atomic_int woken[2];

static void *sleeper(void *arg) {
    const uint32_t kind = (uint32_t)(uintptr_t)arg;
    while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, 1U << kind);
    atomic_store(&woken[kind], 1);
    return NULL;
}

int main(void) {
    pthread_t readers, writers;
    pthread_create(&readers, NULL, sleeper, (void *)0);
    pthread_create(&writers, NULL, sleeper, (void *)1);
    atomic_store(&word, 1);
    assert(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 1U) <= 1);
    pthread_join(readers, NULL);
    assert(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 2U) <= 1);
    pthread_join(writers, NULL);
    assert(atomic_load(&woken[0]) == 1 && atomic_load(&woken[1]) == 1);
    return 0;
}
