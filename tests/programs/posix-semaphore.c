// Unnamed semaphores: the value follows every call, an empty one answers EAGAIN or runs into the deadline.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t slots, filled;
static int item;

static int value(sem_t *s) {
    int v = -1;
    assert(sem_getvalue(s, &v) == 0);
    return v;
}

static void *producer(void *arg) {
    for (int i = 1; i <= 2; i++) {
        assert(sem_wait(&slots) == 0);
        item = i;
        assert(sem_post(&filled) == 0);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec now;
    assert(item == 0);
    errno = 0;
    assert(sem_init(&slots, 0, (unsigned)SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
    assert(sem_init(&slots, 0, 2) == 0 && value(&slots) == 2);
    assert(sem_init(&filled, 0, 0) == 0 && value(&filled) == 0);
    assert(sem_trywait(&slots) == 0 && value(&slots) == 1);
    assert(sem_wait(&slots) == 0 && value(&slots) == 0);
    errno = 0;
    assert(sem_trywait(&slots) == -1 && errno == EAGAIN);
    assert(clock_gettime(CLOCK_REALTIME, &now) == 0);
    errno = 0;
    assert(sem_timedwait(&slots, &now) == -1 && errno == ETIMEDOUT);
    assert(sem_post(&slots) == 0 && value(&slots) == 1);

    assert(pthread_create(&thread, NULL, producer, NULL) == 0);
    for (int i = 1; i <= 2; i++) {
        assert(sem_wait(&filled) == 0);
        assert(item == i);
        assert(sem_post(&slots) == 0);
    }
    assert(pthread_join(thread, NULL) == 0);
    assert(value(&slots) == 1 && value(&filled) == 0);
    assert(sem_destroy(&slots) == 0 && sem_destroy(&filled) == 0);
    return 0;
}
