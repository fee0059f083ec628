/* Main joins a thread and is alone; what it does then, before and after it starts the next thread, concerns nobody. */
#include <pthread.h>
#include <stddef.h>

static int before, after;  // the thread looks at the first only

static void *nothing(void *arg) { return arg; }

static void *look(void *arg) { return before == 1 ? NULL : arg; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    before = 1;
    pthread_create(&thread, NULL, look, NULL);
    after = 1;
    pthread_join(thread, NULL);
    return 0;
}
