// A loop that gives up after three looks: what counts down is in a register or on the stack, so it does not wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *look(void *arg) {
    int left = 3;
    while (left > 0 && !atomic_load(&flag))
        left--;
    assert(left > 0); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
