// Non-local jumps in two threads at once: each lands in its own frame with its own values.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

struct parser {
    jmp_buf on_error;
    int depth, limit;
};

static atomic_int tokens;

static int parse(struct parser *p, int level) {
    if (level > p->limit)
        longjmp(p->on_error, 40 + level);
    if (level == 10)
        return level;
    p->depth = level;
    atomic_fetch_add(&tokens, 1);
    return parse(p, level + 1) + 1;
}

static void *worker(void *arg) {
    struct parser p = {.depth = 0, .limit = *(int *)arg};
    volatile int attempts = 1;
    switch (setjmp(p.on_error)) {
    case 0:
        attempts++;
        parse(&p, 1);
        assert(!"too deep");
        break;
    case 42: // limit 1
        assert(p.limit == 1 && p.depth == 1);
        break;
    case 43: // limit 2
        assert(p.limit == 2 && p.depth == 2);
        break;
    default:
        assert(!"not a code of this program");
    }
    assert(attempts == 2);
    *(int *)arg = -p.limit;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int one = 1, two = 2, again = 1;
    assert(atomic_load(&tokens) == 0);
    assert(pthread_create(&first, NULL, worker, &one) == 0);
    assert(pthread_create(&second, NULL, worker, &two) == 0);
    worker(&again);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(one == -1 && two == -2 && again == -1);
    assert(atomic_load(&tokens) == 4);
    return 0;
}
