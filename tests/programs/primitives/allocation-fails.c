// The result of malloc is not looked at.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    int *volatile block = malloc(sizeof *block);
    *block = 3; /* BUG */
    free(block);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
