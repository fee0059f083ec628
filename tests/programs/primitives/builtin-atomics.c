// The compilers' __atomic and __sync builtins on plain variables.
#include <assert.h>
#include <pthread.h>

static int first;
static long second;

static void bump(void) {
    __atomic_fetch_add(&first, 1, __ATOMIC_ACQ_REL);
    __sync_fetch_and_add(&second, 1);
}

static void *bumper(void *arg) {
    bump();
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, bumper, NULL);
    bump();
    pthread_join(thread, NULL);
    int old = 2;
    short small = 1;
    assert(__atomic_load_n(&first, __ATOMIC_SEQ_CST) == 2 && __sync_add_and_fetch(&second, 0) == 2);
    assert(__atomic_compare_exchange_n(&first, &old, 3, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    assert(__sync_bool_compare_and_swap(&second, 2, 8) && __sync_val_compare_and_swap(&second, 1, 9) == 8);
    assert(__atomic_nand_fetch(&small, 1, __ATOMIC_RELAXED) == -2 && __sync_lock_test_and_set(&small, 4) == -2);
    __sync_lock_release(&small);
    __sync_synchronize();
    __atomic_store_n(&first, 0, __ATOMIC_RELEASE);
    assert(__atomic_exchange_n(&first, 6, __ATOMIC_ACQUIRE) == 0 && !__atomic_test_and_set(&small, __ATOMIC_SEQ_CST));
    __atomic_clear(&small, __ATOMIC_RELEASE);
    assert(small == 0);
    return 0;
}
