// Thread and process numbers: stable within a thread, different between threads, one process for all.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct identity {
    pthread_t self;
    pid_t thread, process;
};

static atomic_int steps;

static void *describe(void *arg) {
    struct identity *id = arg;
    id->self = pthread_self();
    id->thread = gettid();
    id->process = getpid();
    atomic_fetch_add(&steps, 1);
    assert(pthread_equal(id->self, pthread_self()));
    assert(id->thread == gettid());
    assert(id->process == getpid());
    atomic_fetch_add(&steps, 1);
    return NULL;
}

int main(void) {
    struct identity first, second, mine;
    pthread_t a, b;
    assert(atomic_load(&steps) == 0);
    describe(&mine);
    assert(mine.thread == mine.process);
    assert(pthread_create(&a, NULL, describe, &first) == 0);
    assert(pthread_create(&b, NULL, describe, &second) == 0);
    assert(!pthread_equal(a, b) && !pthread_equal(a, pthread_self()));
    assert(pthread_join(a, NULL) == 0);
    assert(pthread_join(b, NULL) == 0);
    assert(pthread_equal(first.self, a) && pthread_equal(second.self, b));
    assert(first.process == mine.process && second.process == mine.process);
    assert(first.thread != mine.thread && second.thread != mine.thread);
    assert(gettid() == mine.thread && pthread_equal(pthread_self(), mine.self));
    return 0;
}
