// The quotient of the least number and -1 is no number: the processor stops the program, for the remainder as well.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int dividend = __VERIFIER_nondet_int();
    int divisor = __VERIFIER_nondet_int();
    volatile int rest = 0;
    if (divisor != 0)
        rest = dividend % divisor; // BUG
    return rest * 0;
}
