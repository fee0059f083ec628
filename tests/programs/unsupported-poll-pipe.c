/* A thread waits with poll() for a byte that main writes into a pipe: blocking in the kernel is
   outside of what can be scheduled. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused)
{
    char byte;
    struct pollfd input = { .fd = ends[0], .events = POLLIN, .revents = 0 };
    (void)unused;
    if (poll(&input, 1, -1) != 1 || read(ends[0], &byte, 1) != 1)
        return NULL;
    return &ends[0];
}

int main(void)
{
    pthread_t thread;
    void *result;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, reader, NULL);
    if (write(ends[1], "x", 1) != 1)
        return 1;
    pthread_join(thread, &result);
    close(ends[0]);
    close(ends[1]);
    return result == &ends[0] ? 0 : 1;
}
