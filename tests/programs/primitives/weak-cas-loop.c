// In a loop a weak compare-exchange may fail as it likes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *bump(void *arg) {
    int seen = atomic_load(&counter);
    while (!atomic_compare_exchange_weak(&counter, &seen, seen + 1)) {
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, bump, NULL);
    pthread_create(&second, NULL, bump, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&counter) == 2);
    return 0;
}
