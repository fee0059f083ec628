/* main returns with a robust mutex locked. It has not died for that: its exit handlers cannot lock it again. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock;

static void at_end(void)
{
    pthread_mutex_lock(&lock);  // BUG
}

int main(void)
{
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    atexit(at_end);
    pthread_mutex_lock(&lock);
    return 0;
}
