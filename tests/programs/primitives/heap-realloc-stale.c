// A thread keeps a pointer into a buffer that main lets grow.
#include <pthread.h>
#include <stdlib.h>

static int *numbers;

static void *work(void *arg) {
    ((int *)arg)[1] = 5; /* BUG */
    return NULL;
}

int main(void) {
    pthread_t thread;
    numbers = calloc(2, sizeof *numbers);
    pthread_create(&thread, NULL, work, numbers);
    numbers = realloc(numbers, 100 * sizeof *numbers); /* BUG */
    pthread_join(thread, NULL);
    free(numbers);
    return 0;
}
