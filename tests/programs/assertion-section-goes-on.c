// An atomic section waits for a mutex in the middle. How it goes on is a step of its own, of several operations.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int begun, result;
static int seen;

static void *look(void *arg) {
    seen = result;
    return arg;
}

static void *work(void *arg) {
    heddle_atomic_begin();
    begun = 1;
    pthread_mutex_lock(&mutex);
    result = 1;
    pthread_mutex_unlock(&mutex);
    heddle_atomic_end();
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_mutex_lock(&mutex);
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    const int waits = begun;
    pthread_mutex_unlock(&mutex);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(!(waits && seen)); /* BUG */
    return 0;
}
