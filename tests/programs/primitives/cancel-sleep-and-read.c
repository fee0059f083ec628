// Sleeping and reading a pipe are cancellation points.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *sleeper(void *arg) {
    sleep(1);
    return arg;
}

static void *reader(void *arg) {
    char byte;
    (void)!read(ends[0], &byte, 1);
    return arg;
}

int main(void) {
    pthread_t first, second;
    void *result = NULL;
    assert(pipe(ends) == 0);
    pthread_create(&first, NULL, sleeper, NULL);
    pthread_cancel(first);
    pthread_join(first, &result);
    assert(result == PTHREAD_CANCELED || result == NULL);
    pthread_create(&second, NULL, reader, NULL);
    pthread_cancel(second);
    pthread_join(second, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
