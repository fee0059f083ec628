// Try-lock in a loop: a failed attempt changes nothing.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *arg) {
    while (pthread_mutex_trylock(&mutex) != 0)
        sched_yield();
    counter++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, add, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return counter == 2 ? 0 : 1;
}
