// The futex system call itself: a stale value is refused, a deadline passes, a sleeper is woken and counted.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;
static int message;

static long futex(int op, int value, const struct timespec *timeout) {
    return syscall(SYS_futex, &word, op, value, timeout, NULL, 0);
}

static void *sender(void *arg) {
    message = 17;
    atomic_store(&word, 1);
    long woken = futex(FUTEX_WAKE_PRIVATE, 1, NULL);
    assert(woken == 0 || woken == 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec brief = {.tv_sec = 0, .tv_nsec = 1000000};
    assert(atomic_load(&word) == 0 && message == 0);
    errno = 0;
    assert(futex(FUTEX_WAIT_PRIVATE, 5, NULL) == -1 && errno == EAGAIN);
    assert(futex(FUTEX_WAIT_PRIVATE, 0, &brief) == -1 && errno == ETIMEDOUT);
    assert(futex(FUTEX_WAKE_PRIVATE, 100, NULL) == 0);

    assert(pthread_create(&thread, NULL, sender, NULL) == 0);
    while (atomic_load(&word) == 0) {
        long rc = futex(FUTEX_WAIT_PRIVATE, 0, NULL);
        assert(rc == 0 || (rc == -1 && errno == EAGAIN));
    }
    assert(message == 17);
    assert(pthread_join(thread, NULL) == 0);
    return 0;
}
