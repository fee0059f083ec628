/* gmtime returns the same structure to all threads. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *check(void *seconds)
{
    const struct tm *broken_down = gmtime(seconds);
    assert(broken_down->tm_sec == *(const time_t *)seconds);
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
