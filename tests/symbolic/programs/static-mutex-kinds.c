/* Mutexes that get their kind from an initialiser: the recursive one is locked twice, the error-checking one says that
   it is held. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int count;

static void add(void) {
    pthread_mutex_lock(&recursive);
    count++;
    pthread_mutex_unlock(&recursive);
}

static void *work(void *unused) {
    (void)unused;
    pthread_mutex_lock(&recursive);
    add();
    add();
    pthread_mutex_unlock(&recursive);
    pthread_mutex_lock(&checking);
    assert(pthread_mutex_lock(&checking) == EDEADLK);
    assert(pthread_mutex_unlock(&checking) == 0);
    assert(pthread_mutex_unlock(&checking) == EPERM);
    return NULL;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    assert(count == 4);
    return 0;
}
