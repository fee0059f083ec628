// A large zero-initialised table of which two threads touch a few pages; untouched and touched parts start at zero.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { CELLS = 1 << 20, STRIDE = 512 };
static int table[CELLS];
static int settings[1024] = {[0] = 7, [512] = 8, [1023] = 9};
static atomic_int next_page;

static void *writer(void *arg) {
    for (int i = 0; i < 2; i++) {
        int page = atomic_fetch_add(&next_page, 1);
        size_t at = (size_t)page * 200000 + 3;
        assert(table[at] == 0);
        table[at] = page + 1;
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    assert(atomic_load(&next_page) == 0);
    for (size_t i = 3; i < CELLS; i += STRIDE)
        assert(table[i] == 0);
    for (int page = 0; page < 4; page++)
        assert(table[page * 200000 + 3] == 0);
    assert(settings[0] == 7 && settings[512] == 8 && settings[1023] == 9 && settings[700] == 0);
    assert(pthread_create(&first, NULL, writer, NULL) == 0);
    assert(pthread_create(&second, NULL, writer, NULL) == 0);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    for (int page = 0; page < 4; page++)
        assert(table[page * 200000 + 3] == page + 1);
    settings[0] = settings[512] = settings[1023] = 0;
    settings[700] = 1;
    table[CELLS - STRIDE + 3] = 1;
    return 0;
}
