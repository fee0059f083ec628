/* A thread is asked to end while it waits, and signalled too: it may end, or return and find what it waited for. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;
static int ended_early;

static void clean_up(void *unused)
{
    (void)unused;
    ended_early = ready;
    pthread_mutex_unlock(&mutex);
}

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(clean_up, NULL);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(0);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cancel(thread);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(!ended_early);  // BUG
    return 0;
}
