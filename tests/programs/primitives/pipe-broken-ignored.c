// With SIGPIPE ignored the write that comes too late is an error.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg) {
    const ssize_t written = write(ends[1], "x", 1);
    assert(written == 1 || (written == -1 && errno == EPIPE));
    return arg;
}

int main(void) {
    pthread_t thread;
    signal(SIGPIPE, SIG_IGN);
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    close(ends[0]);
    pthread_join(thread, NULL);
    return 0;
}
