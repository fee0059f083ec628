/* A turnstile locks itself again after each visitor. */
#include <assert.h>
#include <stdbool.h>

extern _Bool __VERIFIER_nondet_bool(void);

static bool unlocked;
static int coins, passed;

static void coin(void)
{
    coins++;
    unlocked = true;
}

static void push(void)
{
    if (unlocked)
        passed++;
    unlocked = false;
}

int main(void)
{
    for (int event = 0; event < 6; event++) {
        if (__VERIFIER_nondet_bool())
            coin();
        else
            push();
        assert(passed <= coins);
    }
    return 0;
}
