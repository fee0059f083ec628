/* Who has woken all that wait may destroy the condition variable, though they have not gone on yet. */
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
    go = 1;
    if (waits) {
        pthread_cond_broadcast(&changed);
        pthread_cond_destroy(&changed);
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
