#include "start.h"

enum { SIZE = 64 };
static int array[SIZE], counter, next[2] = {0, 1};

static void *body(void *argument)
{
    int t = (int)(intptr_t)argument;
    for (int i = t; i < SIZE; i += 2) {
        heddle_atomic_begin();
        array[i] = counter + 1 + i;
        next[t] = i + 2;
        heddle_atomic_end();
    }
    heddle_atomic_begin();
    counter = counter + next[1 - t] + 1;
    heddle_atomic_end();
    run_on_locally();
    return NULL;
}

int main(void)
{
    start(body, 0, 2);
    return 0;
}
