/* A turnstile does not lock itself again after a visitor has passed: more visitors get through
   than coins were thrown in. */
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
}

int main(void)
{
    for (int event = 0; event < 6; event++) {
        if (__VERIFIER_nondet_bool())
            coin();
        else
            push();
        assert(passed <= coins); // BUG
    }
    return 0;
}
