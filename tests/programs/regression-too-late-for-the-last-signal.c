/* A thread that was too late for its signal waits once more, for a signal that nobody sends. It is detached, and the
   process ends without it. */
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t first = PTHREAD_COND_INITIALIZER;
static pthread_cond_t second = PTHREAD_COND_INITIALIZER;

static void *wait_twice(void *unused)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&first, &mutex, &until);
    pthread_cond_wait(&second, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *pass(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t waiting, passing;
    pthread_create(&waiting, NULL, wait_twice, NULL);
    pthread_detach(waiting);
    pthread_create(&passing, NULL, pass, NULL);
    pthread_cond_signal(&first);
    pthread_join(passing, NULL);
    return 0;
}
