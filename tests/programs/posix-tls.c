// __thread variables: every thread begins with the initial values, at its own address, also after another thread has ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct context {
    int level;
    char name[12];
};

static __thread struct context context = {3, "initial"};
static __thread int calls;
static __thread char buffer[5000];
static atomic_int steps;

static void use(char mark) {
    assert(context.level == 3 && strcmp(context.name, "initial") == 0);
    assert(calls == 0 && buffer[0] == 0 && buffer[4999] == 0);
    context.level = mark;
    context.name[0] = mark;
    buffer[4999] = mark;
    for (int i = 0; i < 2; i++) {
        calls++;
        atomic_fetch_add(&steps, 1);
        assert(context.level == mark && context.name[0] == mark && buffer[4999] == mark);
        assert(calls == i + 1);
    }
}

static void *worker(void *arg) {
    use(*(char *)arg);
    *(void **)arg = &calls;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    union {
        char mark;
        void *place;
    } a = {.mark = 'a'}, b = {.mark = 'b'}, c = {.mark = 'c'};
    assert(atomic_load(&steps) == 0);
    use('m');
    assert(pthread_create(&first, NULL, worker, &a) == 0);
    assert(pthread_create(&second, NULL, worker, &b) == 0);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(a.place != &calls && b.place != &calls);
    assert(pthread_create(&first, NULL, worker, &c) == 0); // may get the stack of an earlier one
    assert(pthread_join(first, NULL) == 0);
    assert(context.level == 'm' && calls == 2 && buffer[4999] == 'm');
    assert(atomic_load(&steps) == 8);
    return 0;
}
