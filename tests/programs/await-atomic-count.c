// A loop that counts its rounds in an atomic variable and gives up: it does not wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static atomic_int tries;

static void *look(void *arg) {
    while (!atomic_load(&flag)) {
        assert(atomic_fetch_add(&tries, 1) < 2); // BUG
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
