/* One thread is joined, another one was detached and has ended: that nobody else runs any more does not order what the detached
   thread did before main's read. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int written; // not static: clang leaves out what nobody else can see
static atomic_int done;

static void *write_it(void *arg) {
    written = 1;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return arg;
}

static void *nothing(void *arg) { return arg; }

int main(void) {
    pthread_t writer, other;
    pthread_create(&writer, NULL, write_it, NULL);
    pthread_detach(writer);
    pthread_create(&other, NULL, nothing, NULL);
    pthread_join(other, NULL);
    return written > 1; // BUG
}
