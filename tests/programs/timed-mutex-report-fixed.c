/* A reporter that runs out of time in pthread_mutex_timedlock skips its report. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;
static atomic_int reports, skipped;

static void *reporter(void *unused)
{
    struct timespec deadline;
    (void)unused;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    int status = pthread_mutex_timedlock(&output, &deadline);
    if (status == ETIMEDOUT) {
        atomic_fetch_add(&skipped, 1);
        return NULL;
    }
    atomic_fetch_add(&reports, 1);
    pthread_mutex_unlock(&output);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, reporter, NULL);
    pthread_mutex_lock(&output);
    atomic_fetch_add(&reports, 1);
    pthread_mutex_unlock(&output);
    pthread_join(thread, NULL);
    assert(atomic_load(&reports) + atomic_load(&skipped) == 2);
    return 0;
}
