/* A reporter ignores that pthread_mutex_timedlock ran out of time and unlocks a mutex that main
   holds. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;
static atomic_int reports;

static void *reporter(void *unused)
{
    struct timespec deadline;
    (void)unused;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    pthread_mutex_timedlock(&output, &deadline);
    atomic_fetch_add(&reports, 1);
    pthread_mutex_unlock(&output); // BUG
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
    return 0;
}
