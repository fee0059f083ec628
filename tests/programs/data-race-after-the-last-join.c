/* Main joins a thread and is alone; what it does then, before and after it starts the next thread, is another matter. */
#include <pthread.h>
#include <stddef.h>

int before, after; // not static: clang leaves out what nobody else can see

static void *nothing(void *arg) { return arg; }

static void *look(void *arg) { return before + after == 2 ? NULL : arg; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    before = 1;
    pthread_create(&thread, NULL, look, NULL);
    after = 1; // BUG
    pthread_join(thread, NULL);
    return 0;
}
