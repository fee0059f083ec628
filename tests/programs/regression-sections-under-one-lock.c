// Three threads take a lock in a section and give it back behind that: sections wait for each other in the middle.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *arg) {
    heddle_atomic_begin();
    pthread_mutex_lock(&mutex);
    counter++;
    heddle_atomic_end();
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    count(NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    heddle_assert(counter == 3);
    return 0;
}
