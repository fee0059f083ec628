#include "start.h"

enum { SIZE = 128, MESSAGES = 4 };
static int table[SIZE];

/* A compare-exchange, as a section: one that fails counts as a write, too. */
static int insert(int at, int word)
{
    int inserted = 0;
    heddle_atomic_begin();
    if (table[at] == 0) {
        table[at] = word;
        inserted = 1;
    } else {
        __atomic_fetch_add(&table[at], 0, __ATOMIC_SEQ_CST);
    }
    heddle_atomic_end();
    return inserted;
}

/* Not inlined: where a word was put has no say any more once it is there, but would stay in a register. */
static __attribute__((noinline)) void put(int word)
{
    int at = word * 7 % SIZE;
    while (!insert(at, word))
        at = (at + 1) % SIZE;
}

static void *body(void *argument)
{
    for (int m = 1; m <= MESSAGES; ++m)
        put(m * 11 + (int)(intptr_t)argument);
    return NULL;
}

int main(void)
{
    start(body, 1, N);
    return 0;
}
