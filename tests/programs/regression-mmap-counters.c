// Threads count in a page mapped by main, and each maps and unmaps a scratch page of its own: every execution
// begins with fresh mappings filled with zero.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static atomic_int *total;

static void *map_page(void) {
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(page != MAP_FAILED);
    return page;
}

static void *count(void *arg) {
    int *scratch = map_page();
    assert(scratch[0] == 0);
    scratch[0] = atomic_fetch_add(total, 1);
    scratch[1] = atomic_fetch_add(total, 1);
    assert(scratch[0] < scratch[1]);
    munmap(scratch, PAGE);
    return arg;
}

int main(void) {
    pthread_t first, second;
    total = map_page();
    assert(atomic_load(total) == 0);
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(total) == 4);
    munmap(total, PAGE);
    return 0;
}
