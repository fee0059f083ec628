// A thread is detached and joined by another one while it goes on: that join waits for nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_t worker;
static atomic_int done;

static void *work(void *arg) {
    atomic_fetch_add(&done, 1);
    atomic_fetch_add(&done, 1);
    return arg;
}

static void *detach_and_join(void *arg) {
    pthread_detach(worker);
    pthread_join(worker, NULL); /* BUG */
    return arg;
}

int main(void) {
    pthread_t other;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&other, NULL, detach_and_join, NULL);
    pthread_join(other, NULL);
    return 0;
}
