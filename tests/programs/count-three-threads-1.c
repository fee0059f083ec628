// Three threads, one increment each on a shared hit counter, created and joined by main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int hits;

static void *visitor(void *arg) {
    (void)arg;
    atomic_fetch_add(&hits, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    assert(atomic_load(&hits) == 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, visitor, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&hits) == 3);
    return 0;
}
