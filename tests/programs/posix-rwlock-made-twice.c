/* A lock on the stack that is destroyed, and made again in the same place by an initialiser. */
#include <assert.h>
#include <pthread.h>

static int next(int value)
{
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    return value;
}

static void *count(void *unused)
{
    int value = 0;
    for (int i = 0; i < 2; i++)
        value = next(value);
    assert(value == 2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    return 0;
}
