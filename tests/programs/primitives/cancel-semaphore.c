// A request and a post together: the thread notices either first, and nothing is lost that the other did not take.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t job;

static void *worker(void *arg) {
    sem_wait(&job);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *result = NULL;
    int left = 0;
    sem_init(&job, 0, 0);
    pthread_create(&thread, NULL, worker, &job);
    sem_post(&job);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    sem_getvalue(&job, &left);
    assert(result == PTHREAD_CANCELED || result == &job);
    assert(left == (result == PTHREAD_CANCELED ? 1 : 0));
    return 0;
}
