/* gmtime_r writes into a structure of the caller's. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *check(void *seconds)
{
    struct tm broken_down;
    gmtime_r(seconds, &broken_down);
    assert(broken_down.tm_sec == *(const time_t *)seconds);
    return NULL;
}

int main(void)
{
    time_t ours = 5, theirs = 7;
    pthread_t thread;
    pthread_create(&thread, NULL, check, &theirs);
    check(&ours);
    pthread_join(thread, NULL);
    return 0;
}
