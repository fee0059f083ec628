// The mutex is initialised before the threads that lock it exist.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int sessions;

static void *open_session(void *arg) {
    pthread_mutex_lock(&lock);
    sessions++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&first, NULL, open_session, NULL);
    pthread_create(&second, NULL, open_session, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(sessions == 2);
    pthread_mutex_destroy(&lock);
    return 0;
}
