// Heap blocks of every kind, made in one thread and released in another; zeroed, aligned and kept as promised.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(char *) passed;

static void *producer(void *arg) {
    char *grown = malloc(16);
    assert(grown && (uintptr_t)grown % _Alignof(max_align_t) == 0);
    memset(grown, 'a', 16);
    grown = realloc(grown, 5000);
    assert(grown);
    for (int i = 0; i < 16; i++)
        assert(grown[i] == 'a');
    memset(grown, 'b', 5000);
    atomic_store(&passed, grown);
    return arg;
}

static void *zeroes(void *arg) {
    char *dirty = malloc(300);
    assert(dirty);
    memset(dirty, 0xff, 300);
    free(dirty);
    char *clean = calloc(10, 30);
    assert(clean);
    for (int i = 0; i < 300; i++)
        assert(clean[i] == 0);
    char *taken = atomic_exchange(&passed, NULL);
    if (taken) {
        assert(taken[0] == 'b' && taken[4999] == 'b');
        free(taken);
    }
    *(char **)arg = clean; // main releases it
    return NULL;
}

int main(void) {
    pthread_t first, second;
    char *clean = NULL;
    void *aligned = NULL;
    assert(atomic_load(&passed) == NULL);
    assert(pthread_create(&first, NULL, producer, NULL) == 0);
    assert(pthread_create(&second, NULL, zeroes, &clean) == 0);
    assert(posix_memalign(&aligned, 256, 100) == 0 && (uintptr_t)aligned % 256 == 0);
    char *page = aligned_alloc(4096, 8192);
    assert(page && (uintptr_t)page % 4096 == 0);
    page[0] = page[8191] = 1;
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(clean && clean[299] == 0);
    free(clean);
    free(aligned);
    free(page);
    free(NULL);
    free(atomic_exchange(&passed, NULL)); // not taken by the other thread
    return 0;
}
