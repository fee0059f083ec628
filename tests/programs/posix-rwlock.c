// Readers share, writers exclude: try and timed variants report EBUSY and ETIMEDOUT while the other side stays inside.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[2];

static struct timespec soon(void) {
    struct timespec t;
    assert(clock_gettime(CLOCK_REALTIME, &t) == 0);
    t.tv_sec += (t.tv_nsec + 1000000) / 1000000000;
    t.tv_nsec = (t.tv_nsec + 1000000) % 1000000000;
    return t;
}

static void *beside_a_reader(void *arg) {
    struct timespec deadline = soon();
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&lock, &deadline) == ETIMEDOUT);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(table[0] == table[1]);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return arg;
}

static void *beside_a_writer(void *arg) {
    struct timespec deadline = soon();
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&lock, &deadline) == ETIMEDOUT);
    return arg;
}

static void *late_reader(void *arg) {
    assert(pthread_rwlock_rdlock(&lock) == 0);
    *(int *)arg = table[0];
    assert(table[0] == table[1]);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int seen = -1;
    assert(table[0] == 0 && table[1] == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_create(&thread, NULL, beside_a_reader, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);

    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_create(&thread, NULL, beside_a_writer, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
    table[0] = 1;
    assert(pthread_create(&thread, NULL, late_reader, &seen) == 0);
    table[1] = 1; // the reader waits until both halves are written
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    table[0] = table[1] = 2;
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(seen == 1 || seen == 2);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
