#include "start.h"

enum { SIZE = 64 };
int array[SIZE]; /* not static: nobody reads it, and it would be left out */
static int counter, next[2] = {0, 1};

/* Not inlined: what it read has no say any more, but would stay in a register. */
static __attribute__((noinline)) void add(int t)
{
    heddle_atomic_begin();
    counter = counter + next[1 - t] + 1;
    heddle_atomic_end();
}

static void *body(void *argument)
{
    int t = (int)(intptr_t)argument;
    for (int i = t; i < SIZE; i += 2) {
        heddle_atomic_begin();
        array[i] = counter + 1 + i;
        next[t] = i + 2;
        heddle_atomic_end();
    }
    add(t);
    run_on_locally();
    return NULL;
}

int main(void)
{
    start(body, 0, 2);
    return 0;
}
