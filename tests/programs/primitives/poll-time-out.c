// poll with a time limit: the byte, or the time-out, and then it is still to come.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg) {
    assert(write(ends[1], "x", 1) == 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte = 0;
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    struct pollfd input = {ends[0], POLLIN, 0};
    const int ready = poll(&input, 1, 10);
    assert(ready == 0 || (ready == 1 && input.revents == POLLIN));
    pthread_join(thread, NULL);
    assert(poll(&input, 1, 0) == 1);
    assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
    return 0;
}
