/* A client gives up when its wait for an answer has timed out four times. The native engine lets a thread time out twice while
   others can run, unless it is told otherwise; here a wait may time out whenever it has to wait. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static sem_t answer;

static void *server(void *arg) {
    sem_post(&answer);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec deadline;
    int failures = 0;
    sem_init(&answer, 0, 0);
    pthread_create(&thread, NULL, server, NULL);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec = 999999999;
    while (sem_timedwait(&answer, &deadline) != 0)
        assert(++failures < 4); // BUG
    pthread_join(thread, NULL);
    return 0;
}
