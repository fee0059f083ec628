// The new thread asks for its own handle; the variable given to pthread_create is read by the creator only.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t worker, started;

static void *run(void *arg) {
    started = pthread_self();
    return arg;
}

int main(void) {
    pthread_create(&worker, NULL, run, NULL);
    pthread_join(worker, NULL);
    assert(pthread_equal(started, worker));
    return 0;
}
