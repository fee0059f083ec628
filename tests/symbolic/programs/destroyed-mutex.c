/* A mutex is destroyed before the last thread that uses it. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void *work(void *unused) {
    (void)unused;
    pthread_mutex_lock(&guard);
    rounds++;
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&guard);
    rounds++;
    pthread_mutex_unlock(&guard);
    pthread_mutex_destroy(&guard);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
