// One thread waits for the flag, the other sets it and signals: the wake-up is never lost.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, answer;

static void *waiter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    assert(answer == 42);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *setter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    answer = 42;
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    assert(ready == 0 && answer == 0);
    pthread_create(&first, NULL, waiter, NULL);
    pthread_create(&second, NULL, setter, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
