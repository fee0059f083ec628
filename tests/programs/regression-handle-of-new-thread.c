// The new thread reads the variable that pthread_create of its creator stores its handle in: nothing orders
// that store before the thread starts.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t worker, started;

static void *run(void *arg) {
    started = worker; // BUG
    return arg;
}

int main(void) {
    pthread_create(&worker, NULL, run, NULL); // BUG
    pthread_join(worker, NULL);
    assert(pthread_equal(started, worker));
    return 0;
}
