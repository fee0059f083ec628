// <threads.h> with deadlines: a timed mutex, a timed wait, a detached thread.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t ready;
static int set;

static int setter(void *arg) {
    (void)arg;
    assert(mtx_lock(&lock) == thrd_success);
    set = 1;
    assert(cnd_signal(&ready) == thrd_success);
    mtx_unlock(&lock);
    return 3;
}

int main(void) {
    thrd_t thread;
    struct timespec until;
    int result = 0;
    timespec_get(&until, TIME_UTC);
    until.tv_sec += 1;
    assert(mtx_init(&lock, mtx_timed | mtx_recursive) == thrd_success && cnd_init(&ready) == thrd_success);
    assert(thrd_create(&thread, setter, NULL) == thrd_success);
    const int got = mtx_timedlock(&lock, &until);
    assert(got == thrd_success || got == thrd_timedout);
    if (got == thrd_success) {
        int waited = thrd_success;
        while (!set && waited == thrd_success) waited = cnd_timedwait(&ready, &lock, &until);
        mtx_unlock(&lock);
    }
    assert(thrd_join(thread, &result) == thrd_success && result == 3);
    thrd_yield();
    mtx_destroy(&lock);
    cnd_destroy(&ready);
    return 0;
}
