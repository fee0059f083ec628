// A lock taken by a weak compare-exchange outside a loop: both threads may fail although nobody has it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int taken[2];

static void *take(void *arg) {
    int expected = 0;
    *(int *)arg = atomic_compare_exchange_weak(&owner, &expected, 1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, take, &taken[0]);
    pthread_create(&second, NULL, take, &taken[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(taken[0] + taken[1] == 1); /* BUG */
    return 0;
}
