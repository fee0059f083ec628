/* A single thread waits for a semaphore that nobody posts: the wait ends by its deadline, and
   this is no deadlock. */
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
    sem_t never;
    struct timespec start, deadline, now;
    sem_init(&never, 0, 0);
    clock_gettime(CLOCK_REALTIME, &start);
    deadline = start;
    deadline.tv_sec += 1;
    for (int attempt = 0; attempt < 3; attempt++) {
        assert(sem_timedwait(&never, &deadline) == -1);
        assert(errno == ETIMEDOUT);
    }
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec > start.tv_sec);
    sem_destroy(&never);
    return 0;
}
