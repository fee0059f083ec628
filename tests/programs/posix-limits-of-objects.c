/* What the limits of barriers and semaphores are answered with. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;

static void *add(void *unused)
{
    (void)unused;
    if (sem_post(&permits) == 0)
        return NULL;
    assert(errno == EOVERFLOW);
    return &permits;
}

int main(void)
{
    pthread_barrier_t barrier;
    pthread_t thread;
    void *refused;
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    sem_init(&permits, 0, SEM_VALUE_MAX - 1);
    pthread_create(&thread, NULL, add, NULL);
    void *mine = add(NULL);
    pthread_join(thread, &refused);
    assert((mine == NULL) != (refused == NULL));
    return 0;
}
