// A loop that counts its rounds in a global variable, which makes it give up: it does not wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int rounds;

static void *look(void *arg) {
    while (!atomic_load(&flag)) {
        rounds++;
        assert(rounds < 3); // BUG
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
