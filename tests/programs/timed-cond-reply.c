/* A client takes every return of pthread_cond_timedwait for the arrival of the reply, also the
   one after the deadline. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int replied;
static int reply;

static void *server(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&guard);
    reply = 42;
    replied = 1;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&guard);
    return NULL;
}

static int await_reply(void)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    pthread_mutex_lock(&guard);
    if (!replied)
        pthread_cond_timedwait(&arrived, &guard, &deadline);
    int value = reply;
    pthread_mutex_unlock(&guard);
    return value;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, server, NULL);
    assert(await_reply() == 42); // BUG
    pthread_join(thread, NULL);
    return 0;
}
