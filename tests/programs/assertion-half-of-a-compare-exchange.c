// A compare-exchange of two bytes, a store to the first of them and a load of the second. The load may come first and the
// compare-exchange succeed behind it: it fails only behind the store, where it writes nothing and yet is no mere read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static union {
    _Atomic unsigned short both;
    _Atomic unsigned char half[2];
} shared;
static atomic_int other;
static bool exchanged;
static unsigned char seen = 2;

static void *exchanges(void *arg) {
    unsigned short expected = 0;
    exchanged = atomic_compare_exchange_strong(&shared.both, &expected, 0x101);
    return arg;
}

static void *stores(void *arg) {
    (void)atomic_load(&other);
    atomic_store(&shared.half[0], 2);
    return arg;
}

static void *loads(void *arg) {
    seen = atomic_load(&shared.half[1]);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, exchanges, NULL);
    pthread_create(&threads[1], NULL, stores, NULL);
    pthread_create(&threads[2], NULL, loads, NULL);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    assert(seen == exchanged); /* BUG */
    return 0;
}
