// A thread waits for one that has ended: it can go on, and nothing else, until somebody wants it to end.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *end(void *arg) { return arg; }

static void *wait_for(void *thread) {
    pthread_join(*(pthread_t *)thread, NULL);
    return NULL;
}

int main(void) {
    pthread_t ended, waiting;
    void *result = NULL;
    pthread_create(&ended, NULL, end, NULL);
    pthread_create(&waiting, NULL, wait_for, &ended);
    pthread_cancel(waiting);
    pthread_join(waiting, &result);
    assert(result != PTHREAD_CANCELED); /* BUG */
    return 0;
}
