// Main destroys the condition variable while the worker may wait on it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int set;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    if (!set) pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    set = 1;
    pthread_cond_destroy(&ready); /* BUG */
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
