/* Main polls a structure on its own stack, under a mutex, for what another thread stores there. */
#include <pthread.h>

struct shared {
    pthread_mutex_t lock;
    int value;
};

static void *change(void *given)
{
    struct shared *shared = given;
    pthread_mutex_lock(&shared->lock);
    shared->value = 1;
    pthread_mutex_unlock(&shared->lock);
    return NULL;
}

int main(void)
{
    struct shared shared = {PTHREAD_MUTEX_INITIALIZER, 0};
    pthread_t thread;
    int seen;
    pthread_create(&thread, NULL, change, &shared);
    do {
        pthread_mutex_lock(&shared.lock);
        seen = shared.value;
        pthread_mutex_unlock(&shared.lock);
    } while (!seen);
    pthread_join(thread, NULL);
    return 0;
}
