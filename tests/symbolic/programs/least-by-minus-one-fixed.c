// The repaired twin of least-by-minus-one.c: -1 is left out, too.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int dividend = __VERIFIER_nondet_int();
    int divisor = __VERIFIER_nondet_int();
    volatile int rest = 0;
    if (divisor != 0 && divisor != -1)
        rest = dividend % divisor;
    return rest * 0;
}
