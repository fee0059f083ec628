// While cancellation is disabled a request waits; a test of it afterwards acts.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t go;
static atomic_int finished;

static void *worker(void *arg) {
    int old = -1;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    sem_wait(&go);
    atomic_store(&finished, 1);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel();
    atomic_store(&finished, 2);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *result = NULL;
    sem_init(&go, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    sem_post(&go);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && atomic_load(&finished) == 1);
    return 0;
}
