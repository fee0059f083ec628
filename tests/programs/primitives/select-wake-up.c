// select on the self-pipe.
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg) {
    assert(write(ends[1], "x", 1) == 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte = 0;
    fd_set readable;
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    FD_ZERO(&readable);
    FD_SET(ends[0], &readable);
    assert(select(ends[0] + 1, &readable, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &readable));
    assert(read(ends[0], &byte, 1) == 1);
    pthread_join(thread, NULL);
    struct timeval moment = {0, 1000};
    assert(select(0, NULL, NULL, NULL, &moment) == 0);
    return 0;
}
