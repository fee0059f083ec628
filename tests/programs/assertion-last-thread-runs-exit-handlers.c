/* main leaves by pthread_exit, so whichever thread ends last runs the exit handlers: they see what all have done. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int counted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void at_end(void)
{
    pthread_mutex_lock(&lock);
    assert(atomic_load(&counted) == 2);  // BUG
    pthread_mutex_unlock(&lock);
}

static void *count(void *unused)
{
    int before = atomic_load(&counted);
    atomic_store(&counted, before + 1);
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
