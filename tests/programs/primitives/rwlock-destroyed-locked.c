// A rwlock is destroyed while its reader is inside.
#include <pthread.h>

int main(void) {
    pthread_rwlock_t lock;
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_destroy(&lock); /* BUG */
    return 0;
}
