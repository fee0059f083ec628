// Two threads increment a plain counter within atomic sections: no increment is lost, and sections do not race
// with each other.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static int counter;

static void *increment(void *arg) {
    heddle_atomic_begin();
    counter = counter + 1;
    heddle_atomic_end();
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    heddle_assert(counter == 2);
    return 0;
}
