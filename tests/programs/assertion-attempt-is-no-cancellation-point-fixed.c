// A thread that has been asked to end attempts to join another one, which is no place to be cancelled at.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t main_thread;

static void *attempt(void *arg) {
    pthread_mutex_lock(&mutex); // the request has been made by now
    pthread_mutex_unlock(&mutex);
    pthread_tryjoin_np(main_thread, NULL);
    return arg;
}

int main(void) {
    pthread_t thread;
    main_thread = pthread_self();
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, attempt, NULL);
    pthread_cancel(thread);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
