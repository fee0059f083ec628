/* The race shows in the last of many executions, right behind a state that the search went back to, when the execution before had
   ended with main alone. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int shared; // not static: clang leaves out what nobody else can see
static atomic_int turn;

static void *reader(void *last) {
    if (atomic_load_explicit(&turn, memory_order_relaxed) == 1 && last != NULL) shared = 2; // BUG
    return NULL;
}

static void *writer(void *last) {
    atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed);
    if (last != NULL) shared = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    void *last = heddle_choose(100) == 99 ? &threads : NULL;
    pthread_create(&threads[0], NULL, reader, last);
    pthread_create(&threads[1], NULL, writer, last);
    pthread_join(threads[1], NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
