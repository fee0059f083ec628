/* The last thread to end runs the exit handlers, as a part of its last step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int counted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void at_end(void)
{
    pthread_mutex_lock(&lock);
    assert(atomic_load(&counted) == 2);
    pthread_mutex_unlock(&lock);
}

static void *count(void *unused)
{
    atomic_fetch_add(&counted, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    atexit(at_end);
    for (int i = 0; i < 2; ++i) {
        pthread_create(&thread, NULL, count, NULL);
        pthread_detach(thread);
    }
    pthread_exit(NULL);
}
