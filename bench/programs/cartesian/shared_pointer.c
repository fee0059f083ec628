#include "start.h"

static int x = 3, y = 4, *pointer;
static int counter[2];

/* Not inlined: what it read has no say any more, but would stay in a register. */
static __attribute__((noinline)) void add(int t)
{
    heddle_atomic_begin();
    *pointer += t == 0 ? 3 : 2;
    heddle_atomic_end();
}

static void *body(void *argument)
{
    int t = (int)(intptr_t)argument;
    pointer = t == 0 ? &y : &x;
    for (int i = 0; i < 100; ++i) {
        heddle_atomic_begin();
        counter[t] += t == 0 ? x : y;
        heddle_atomic_end();
    }
    local_step();
    add(t);
    run_on_locally();
    return NULL;
}

int main(void)
{
    start(body, 0, 2);
    return 0;
}
