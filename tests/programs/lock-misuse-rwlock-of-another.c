/* A thread gives back what another one has locked for reading. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *give_back(void *unused)
{
    pthread_rwlock_unlock(&lock); // BUG
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, NULL, give_back, NULL);
    pthread_join(thread, NULL);
    return 0;
}
