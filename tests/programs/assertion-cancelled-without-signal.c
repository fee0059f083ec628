// A thread waits for what nobody signals and is asked to end. It does, as soon as it can have the mutex back: before main
// has it, or never, for the process ends with main.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int ended;

static void clean(void *arg) {
    (void)arg;
    ended = 1;
    pthread_mutex_unlock(&mutex);
}

static void *wait_for_ever(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(clean, NULL);
    pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait_for_ever, NULL);
    pthread_cancel(waiter);
    pthread_mutex_lock(&mutex);
    assert(!ended); /* BUG */
    return 0;
}
