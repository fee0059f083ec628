/* A thread ends without giving back what it locked for reading; then the lock is destroyed. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *read_and_forget(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, read_and_forget, NULL);
    pthread_join(thread, NULL);
    pthread_rwlock_destroy(&lock); // BUG
    return 0;
}
