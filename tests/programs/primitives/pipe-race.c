// The data is written after the byte that announces it: the reader may be faster.
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int message;

static void *sender(void *arg) {
    (void)!write(ends[1], "x", 1);
    message = 7; /* BUG */
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte = 0;
    if (pipe(ends) != 0) return 0;
    pthread_create(&thread, NULL, sender, NULL);
    (void)!read(ends[0], &byte, 1);
    const int got = message;
    pthread_join(thread, NULL);
    return got > 7;
}
