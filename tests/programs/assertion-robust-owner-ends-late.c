/* A thread takes a robust mutex and ends. Between the two others find the mutex locked. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

static void *take(void *unused)
{
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t robust;
    pthread_t thread;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    pthread_create(&thread, NULL, take, NULL);
    int found = pthread_mutex_trylock(&mutex);
    if (found == EOWNERDEAD)
        pthread_mutex_consistent(&mutex);
    if (found != EBUSY)
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(found != EBUSY);  // BUG
    return 0;
}
