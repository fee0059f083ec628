// One thread waits for two pipes at once: whichever byte comes first, both are read in the end.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int first[2], second[2];

static void *writer(void *arg) {
    assert(write(((int *)arg)[1], "x", 1) == 1);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    assert(pipe(first) == 0 && pipe(second) == 0);
    pthread_create(&one, NULL, writer, first);
    pthread_create(&other, NULL, writer, second);
    for (int left = 2; left > 0;) {
        struct pollfd inputs[2] = {{first[0], POLLIN, 0}, {second[0], POLLIN, 0}};
        assert(poll(inputs, 2, -1) >= 1);
        for (int i = 0; i < 2; ++i) {
            char byte = 0;
            if ((inputs[i].revents & POLLIN) != 0) left -= (int)read(inputs[i].fd, &byte, 1);
        }
    }
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
