// A volatile flag, with all accesses visible: the loop waits for it.
#include <pthread.h>
#include <stddef.h>

static volatile int flag;

static void *wait(void *arg) {
    while (!flag) {
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    flag = 1;
    pthread_join(thread, NULL);
    return 0;
}
