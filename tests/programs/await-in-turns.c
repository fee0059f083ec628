// A thread waits for a flag, and does every other round in another way: it comes back to the same state every second time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, odd;

static void* wait_for_flag(void* unused) {
    int turn = 0;
    while (atomic_load(&flag) == 0) turn ^= 1;
    atomic_store(&odd, turn);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_flag, NULL);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    assert(atomic_load(&odd) <= 1);
}
