// A thread ends without freeing what only it knew.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    int *volatile block = malloc(40);
    *block = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
