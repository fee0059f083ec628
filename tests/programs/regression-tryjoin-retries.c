// Main asks a few times with pthread_tryjoin_np whether the worker has ended, and at last waits for it: a
// refused attempt leaves the thread joinable, a successful one delivers its result.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { ATTEMPTS = 3 };

static atomic_int progress;
static int done;

static void *work(void *arg) {
    atomic_fetch_add(&progress, 1);
    done = 1;
    return arg;
}

int main(void) {
    pthread_t worker;
    void *result = NULL;
    int rc = EBUSY;
    pthread_create(&worker, NULL, work, &done);
    for (int i = 0; i < ATTEMPTS && rc == EBUSY; i++)
        rc = pthread_tryjoin_np(worker, &result);
    if (rc == EBUSY)
        rc = pthread_join(worker, &result);
    assert(rc == 0);
    assert(result == &done && done == 1);
    assert(atomic_load(&progress) == 1);
    return 0;
}
