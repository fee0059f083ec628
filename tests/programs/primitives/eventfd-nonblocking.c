// A nonblocking read of an eventfd either takes the notification or finds none yet.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int wake;

static void *notifier(void *arg) {
    assert(eventfd_write(wake, 5) == 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    eventfd_t value = 0;
    wake = eventfd(0, EFD_NONBLOCK);
    pthread_create(&thread, NULL, notifier, NULL);
    if (eventfd_read(wake, &value) != 0) assert(errno == EAGAIN && value == 0);
    pthread_join(thread, NULL);
    if (value == 0) assert(eventfd_read(wake, &value) == 0);
    assert(value == 5);
    return 0;
}
