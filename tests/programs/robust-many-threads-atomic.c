/* Two hundred threads that add to one counter: far more interleavings than can be run, so the
   search ends at its limit. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { count = 200 };

static atomic_int started;

static void *start(void *unused)
{
    (void)unused;
    atomic_fetch_add(&started, 1);
    return NULL;
}

int main(void)
{
    static pthread_t threads[count];
    for (int i = 0; i < count; i++)
        assert(pthread_create(&threads[i], NULL, start, NULL) == 0);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&started) == count);
    return 0;
}
