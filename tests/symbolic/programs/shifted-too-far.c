// A shift by 32 or more: C leaves it open, the processor takes the lowest five bits, and so does the replay.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned count = __VERIFIER_nondet_uint();
    unsigned mask = 1U << count;
    assert(mask != 16U || count == 4); // BUG
    return 0;
}
