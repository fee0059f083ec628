// An eventfd that counts like a semaphore: two notifications, taken one at a time by blocking reads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int wake;
static atomic_int seen;

static void *notifier(void *arg) {
    for (int i = 0; i < 2; ++i) {
        uint64_t one = 1;
        assert(write(wake, &one, sizeof one) == sizeof one);
    }
    return arg;
}

static void *worker(void *arg) {
    uint64_t value = 0;
    assert(read(wake, &value, sizeof value) == sizeof value && value == 1);
    atomic_store(&seen, 1);
    assert(read(wake, &value, sizeof value) == sizeof value && value == 1);
    return arg;
}

int main(void) {
    pthread_t first, second;
    wake = eventfd(0, EFD_SEMAPHORE);
    pthread_create(&first, NULL, notifier, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
