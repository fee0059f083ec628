/* main has been left by pthread_exit, and the last thread's exit handler takes a lock that its dead owner never gave back. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void at_end(void)
{
    pthread_mutex_lock(&lock);  // BUG
}

static void *outlive(void *first)
{
    pthread_join(*(pthread_t *)first, NULL);
    return NULL;
}

int main(void)
{
    static pthread_t self;
    pthread_t thread;
    self = pthread_self();
    atexit(at_end);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, outlive, &self);
    pthread_detach(thread);
    pthread_exit(NULL);
}
