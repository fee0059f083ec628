// C11 condition variables, timed waits and thread-specific storage with its destructor.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t changed;
static tss_t slot;
static int ready, destroyed;

static void destroy(void *value) {
    assert(*(int *)value == 5);
    free(value);
    destroyed++;
}

static int waiter(void *arg) {
    (void)arg;
    assert(tss_get(slot) == NULL);
    int *value = malloc(sizeof *value);
    *value = 5;
    assert(tss_set(slot, value) == thrd_success);
    assert(mtx_lock(&lock) == thrd_success);
    while (!ready)
        assert(cnd_wait(&changed, &lock) == thrd_success);
    assert(mtx_unlock(&lock) == thrd_success);
    assert(tss_get(slot) == value);
    return 3;
}

int main(void) {
    thrd_t thread;
    struct timespec now, nap = {.tv_sec = 0, .tv_nsec = 1000};
    int result = 0;
    assert(ready == 0 && destroyed == 0);
    assert(mtx_init(&lock, mtx_timed) == thrd_success);
    assert(cnd_init(&changed) == thrd_success);
    assert(tss_create(&slot, destroy) == thrd_success);

    assert(mtx_lock(&lock) == thrd_success);
    assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
    assert(cnd_timedwait(&changed, &lock, &now) == thrd_timedout); // nobody could signal
    assert(mtx_unlock(&lock) == thrd_success);
    assert(thrd_sleep(&nap, NULL) == 0);

    assert(thrd_create(&thread, waiter, NULL) == thrd_success);
    assert(mtx_lock(&lock) == thrd_success);
    ready = 1;
    assert(mtx_unlock(&lock) == thrd_success);
    assert(cnd_signal(&changed) == thrd_success);
    assert(thrd_join(thread, &result) == thrd_success && result == 3);
    assert(destroyed == 1);
    assert(mtx_timedlock(&lock, &now) == thrd_success);
    assert(mtx_unlock(&lock) == thrd_success);
    tss_delete(slot);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
