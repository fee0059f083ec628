// A reader goes on until the writer has closed its end.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg) {
    assert(write(ends[1], "abc", 3) == 3);
    close(ends[1]);
    return arg;
}

int main(void) {
    pthread_t thread;
    char text[4] = "";
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    assert(read(ends[0], text, 2) == 2);
    assert(read(ends[0], text + 2, 2) == 1);
    assert(strcmp(text, "abc") == 0);
    assert(read(ends[0], text, 2) == 0);
    pthread_join(thread, NULL);
    return 0;
}
