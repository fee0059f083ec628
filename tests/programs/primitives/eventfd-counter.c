// Notifications that nobody has read yet add up: a read takes all of them, and one that finds nothing says so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int wake;

static void *notifier(void *arg) {
    uint64_t one = 1;
    for (int i = 0; i < 3; ++i) assert(write(wake, &one, sizeof one) == sizeof one);
    return arg;
}

int main(void) {
    pthread_t thread;
    uint64_t first = 0, rest = 0;
    wake = eventfd(0, 0);
    pthread_create(&thread, NULL, notifier, NULL);
    assert(read(wake, &first, sizeof first) == sizeof first && first >= 1 && first <= 3);
    pthread_join(thread, NULL);
    if (first < 3) assert(read(wake, &rest, sizeof rest) == sizeof rest);
    assert(first + rest == 3);
    close(wake);
    return 0;
}
