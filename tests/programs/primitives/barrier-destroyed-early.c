// A barrier is destroyed while a thread may wait at it: nothing orders the two.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *wait(void *arg) {
    pthread_barrier_wait(&barrier); /* BUG */
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, wait, NULL);
    pthread_barrier_destroy(&barrier); /* BUG */
    pthread_join(thread, NULL);
    return 0;
}
