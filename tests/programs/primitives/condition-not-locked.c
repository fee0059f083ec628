// A wait with a mutex that is not locked.
#include <pthread.h>

int main(void) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
    pthread_cond_wait(&ready, &lock); /* BUG */
    return 0;
}
