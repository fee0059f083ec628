// The reader may close its end before the writer writes: SIGPIPE ends the program.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg) {
    (void)!write(ends[1], "x", 1); /* BUG */
    return arg;
}

int main(void) {
    pthread_t thread;
    if (pipe(ends) != 0) return 0;
    pthread_create(&thread, NULL, writer, NULL);
    close(ends[0]);
    pthread_join(thread, NULL);
    return 0;
}
