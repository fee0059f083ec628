// One thread ends while it holds a robust mutex; another one takes the mutex over, whether it locks first,
// waits for it or comes after the end of the owner.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t ledger_lock;
static int entries, totals;

static void *dies_halfway(void *arg) {
    if (pthread_mutex_lock(&ledger_lock) == 0)
        entries++;
    return arg;
}

static void *bookkeeper(void *arg) {
    int rc = pthread_mutex_lock(&ledger_lock);
    if (rc == EOWNERDEAD) {
        assert(entries == 1 && totals == 0);
        totals = entries;
        pthread_mutex_consistent(&ledger_lock);
    } else {
        assert(rc == 0);
    }
    assert(entries == totals);
    pthread_mutex_unlock(&ledger_lock);
    return arg;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t writer, reader;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&ledger_lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_create(&writer, NULL, dies_halfway, NULL);
    pthread_create(&reader, NULL, bookkeeper, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
