/* A thread that does nothing may take its time all the same: then it is waited for. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *idle(void *unused) { return unused; }

int main(void)
{
    pthread_t thread;
    struct timespec now = {0, 0};
    pthread_create(&thread, NULL, idle, NULL);
    int late = pthread_timedjoin_np(thread, NULL, &now);
    if (late)
        late = pthread_join(thread, NULL);
    assert(!late);
    return 0;
}
