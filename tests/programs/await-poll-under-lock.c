// A loop that looks at a plain variable under a mutex: a round that takes the mutex and gives it back changes nothing.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *wait(void *arg) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        const int seen = done;
        pthread_mutex_unlock(&mutex);
        if (seen)
            return arg;
        sched_yield();
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
