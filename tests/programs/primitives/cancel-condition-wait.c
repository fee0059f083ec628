// A worker waits for jobs and is cancelled: its cleanup handler gives the mutex back, which the wait had taken again.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void give_back(void *arg) {
    cleaned = 1;
    pthread_mutex_unlock(arg);
}

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(give_back, &lock);
    for (;;) pthread_cond_wait(&job, &lock);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *result = NULL;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && cleaned == 1);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
