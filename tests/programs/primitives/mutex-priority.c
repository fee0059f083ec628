// Mutexes with priority inheritance and with a ceiling exclude each other's holders like any other.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t inherit, protect;
static int inside[2];

static void visit(void) {
    pthread_mutex_lock(&inherit);
    assert(++inside[0] == 1);
    --inside[0];
    pthread_mutex_unlock(&inherit);
    assert(pthread_mutex_lock(&protect) == 0);
    assert(++inside[1] == 1);
    --inside[1];
    pthread_mutex_unlock(&protect);
}

static void *visitor(void *arg) {
    visit();
    return arg;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    int ceiling = -1;
    pthread_mutexattr_init(&attributes);
    assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
    pthread_mutex_init(&inherit, &attributes);
    assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT) == 0);
    assert(pthread_mutexattr_setprioceiling(&attributes, 7) == 0);
    pthread_mutex_init(&protect, &attributes);
    assert(pthread_mutex_getprioceiling(&protect, &ceiling) == 0 && ceiling == 7);
    pthread_create(&thread, NULL, visitor, NULL);
    visit();
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&inherit);
    pthread_mutex_destroy(&protect);
    return 0;
}
