// An atomic section waits for a mutex in the middle. Meanwhile others run, but no longer once it can go on: what lets
// it go on ends what the others can do.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int half_done;

static void *look(void *arg) {
    assert(half_done != 1); /* BUG */
    return arg;
}

static void *do_both_halves(void *arg) {
    heddle_atomic_begin();
    half_done = 1;
    pthread_mutex_lock(&mutex);
    half_done = 2;
    pthread_mutex_unlock(&mutex);
    heddle_atomic_end();
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_mutex_lock(&mutex);
    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, do_both_halves, NULL);
    pthread_mutex_unlock(&mutex);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
