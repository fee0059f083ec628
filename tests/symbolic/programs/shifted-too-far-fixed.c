// The repaired twin of shifted-too-far.c: what is shifted out is known not to be.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned count = __VERIFIER_nondet_uint() % 32;
    unsigned mask = 1U << count;
    assert(mask != 16U || count == 4);
    return 0;
}
