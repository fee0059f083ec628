/* A loader tells on every path how it ended, also when it was cancelled. */
#include <pthread.h>
#include <stdatomic.h>

enum { loading, ready, abandoned };

static atomic_int cancelled;
static atomic_int state = loading;

static void *load_index(void *unused)
{
    (void)unused;
    if (atomic_load(&cancelled)) {
        atomic_store(&state, abandoned);
        return NULL;
    }
    atomic_store(&state, ready);
    return NULL;
}

int main(void)
{
    pthread_t loader;
    pthread_create(&loader, NULL, load_index, NULL);
    atomic_store(&cancelled, 1);
    pthread_join(loader, NULL);
    while (atomic_load(&state) == loading)
        ;
    return 0;
}
