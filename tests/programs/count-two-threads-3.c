// Two threads, three increments each on a shared hit counter, created and joined by main: no hit is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int hits;

static void *visitor(void *arg) {
    (void)arg;
    atomic_fetch_add(&hits, 1);
    atomic_fetch_add(&hits, 1);
    atomic_fetch_add(&hits, 1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    assert(atomic_load(&hits) == 0);
    pthread_create(&first, NULL, visitor, NULL);
    pthread_create(&second, NULL, visitor, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&hits) == 6);
    return 0;
}
