// A loop that reads two flags, of which the other thread sets the first: it is not over when only the second has been
// looked at.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stop, ready;

static void *wait(void *arg) {
    while (!atomic_load(&stop) && !atomic_load(&ready)) {
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    return 0;
}
