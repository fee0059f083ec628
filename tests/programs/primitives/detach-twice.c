// A thread is detached by itself and by its creator.
#include <pthread.h>

static void *work(void *arg) {
    pthread_detach(pthread_self()); /* BUG */
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread); /* BUG */
    return 0;
}
