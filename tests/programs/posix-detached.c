// Detached threads, by attribute and by pthread_detach: nobody joins them, main waits for their reports instead.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t reports;
static atomic_int sum;

static void *reporter(void *arg) {
    atomic_fetch_add(&sum, *(int *)arg);
    assert(sem_post(&reports) == 0);
    return NULL;
}

static void *detaches_itself(void *arg) {
    assert(pthread_detach(pthread_self()) == 0);
    return reporter(arg);
}

int main(void) {
    static int two = 2, five = 5;
    pthread_attr_t attr;
    pthread_t thread;
    assert(atomic_load(&sum) == 0);
    assert(sem_init(&reports, 0, 0) == 0);
    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_create(&thread, &attr, reporter, &two) == 0);
    assert(pthread_attr_destroy(&attr) == 0);
    assert(pthread_create(&thread, NULL, detaches_itself, &five) == 0);
    assert(sem_wait(&reports) == 0);
    assert(sem_wait(&reports) == 0);
    assert(atomic_load(&sum) == 7);
    return 0;
}
