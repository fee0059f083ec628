// Spin locks: a taken lock answers EBUSY to trylock, and two threads counting under it lose nothing.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count;

static void *try_only(void *arg) {
    assert(pthread_spin_trylock(&lock) == EBUSY);
    return arg;
}

static void *add(void *arg) {
    assert(pthread_spin_lock(&lock) == 0);
    count++;
    assert(pthread_spin_unlock(&lock) == 0);
    return arg;
}

int main(void) {
    pthread_t first, second;
    assert(count == 0);
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_spin_lock(&lock) == 0);
    assert(pthread_create(&first, NULL, try_only, NULL) == 0);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_spin_unlock(&lock) == 0);

    assert(pthread_create(&first, NULL, add, NULL) == 0);
    assert(pthread_create(&second, NULL, add, NULL) == 0);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(pthread_spin_trylock(&lock) == 0);
    assert(count == 2);
    assert(pthread_spin_unlock(&lock) == 0);
    assert(pthread_spin_destroy(&lock) == 0);
    return 0;
}
