// A spin lock is released by a thread that does not hold it.
#include <pthread.h>

static pthread_spinlock_t lock;

static void *release(void *arg) {
    pthread_spin_unlock(&lock); /* BUG */
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_create(&thread, NULL, release, NULL);
    pthread_join(thread, NULL);
    return 0;
}
