// Every function of <stdatomic.h>, and one race for the count.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int shared;

static void *add(void *arg) {
    atomic_fetch_add_explicit(&shared, 1, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t thread;
    atomic_uchar byte = 7;
    atomic_ullong wide;
    _Atomic(int *) pointer;
    atomic_flag flag = ATOMIC_FLAG_INIT;
    int numbers[4] = {0}, expected = 4;
    unsigned char seen = 9;
    pthread_create(&thread, NULL, add, NULL);
    atomic_fetch_add(&shared, 1);
    pthread_join(thread, NULL);
    assert(atomic_load(&shared) == 2);
    atomic_init(&wide, 1ULL << 40);
    assert(atomic_load_explicit(&wide, memory_order_acquire) == 1ULL << 40);
    assert(atomic_fetch_or(&byte, 8) == 7 && atomic_fetch_and(&byte, 12) == 15 && atomic_fetch_xor(&byte, 1) == 12);
    assert(atomic_exchange(&byte, 3) == 13 && atomic_fetch_sub_explicit(&byte, 1, memory_order_acq_rel) == 3);
    assert(!atomic_compare_exchange_strong(&byte, &seen, 5) && seen == 2);
    assert(atomic_compare_exchange_strong_explicit(&byte, &seen, 5, memory_order_seq_cst, memory_order_relaxed));
    while (!atomic_compare_exchange_weak(&shared, &expected, 9)) assert(expected == 2);
    atomic_store_explicit(&pointer, numbers, memory_order_release);
    assert(atomic_exchange(&pointer, numbers + 3) == numbers && atomic_load(&pointer) == numbers + 3);
    assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear(&flag);
    assert(!atomic_flag_test_and_set(&flag));
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    assert(atomic_is_lock_free(&shared));
    return 0;
}
