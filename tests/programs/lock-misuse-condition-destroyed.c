/* Main takes a waiter that it sees for one that has gone on, and destroys what it waits at. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waits, go;

static void *wait_for_it(void *unused)
{
    pthread_mutex_lock(&mutex);
    waits = 1;
    while (!go)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    pthread_mutex_lock(&mutex);
    int seen = waits;
    go = 1;
    pthread_mutex_unlock(&mutex);
    if (seen)
        pthread_cond_destroy(&changed); // BUG
    else
        pthread_cond_signal(&changed);
    pthread_join(thread, NULL);
    return 0;
}
