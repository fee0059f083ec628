// Two workers wait for one eventfd that counts: whoever reads first takes both notifications, and the other waits for ever.
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int wake;

static void *worker(void *arg) {
    uint64_t value = 0;
    (void)!read(wake, &value, sizeof value); /* BUG */
    return arg;
}

int main(void) {
    pthread_t first, second;
    uint64_t one = 1;
    wake = eventfd(0, 0);
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    (void)!write(wake, &one, sizeof one);
    (void)!write(wake, &one, sizeof one);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
