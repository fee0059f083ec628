// A spin lock occupies four bytes only: the non-zero field shortly behind it is no part of its state, and the
// lock is free at first.
#include <assert.h>
#include <pthread.h>

static struct {
    pthread_spinlock_t lock;
    int reserved[4];
    int limit;
    int used;
} pool = {.limit = 2};

static void *reserve(void *arg) {
    pthread_spin_lock(&pool.lock);
    if (pool.used < pool.limit)
        pool.used++;
    pthread_spin_unlock(&pool.lock);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_spin_init(&pool.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&first, NULL, reserve, NULL);
    pthread_create(&second, NULL, reserve, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(pool.used == 2 && pool.limit == 2);
    return 0;
}
