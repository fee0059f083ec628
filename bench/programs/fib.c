/* fib_bench of the SV-COMP benchmarks with N rounds: i=j=1; one thread repeats i=i+j, another j=j+i, each as two loads
   (its own variable first) and a store. main loads i, then j, and joins nobody.
   Traces: 19605 and 218243 for N = 4, 5, by two other checkers. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int i = 1, j = 1;
static int rounds;

static void *add_to_i(void *unused)
{
    for (int n = 0; n < rounds; ++n) {
        int own = atomic_load(&i);
        int other = atomic_load(&j);
        atomic_store(&i, own + other);
    }
    return unused;
}

static void *add_to_j(void *unused)
{
    for (int n = 0; n < rounds; ++n) {
        int own = atomic_load(&j);
        int other = atomic_load(&i);
        atomic_store(&j, own + other);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    int largest = 1; /* the Fibonacci number 2 * rounds + 2 */
    rounds = argc > 1 ? atoi(argv[1]) : 4;
    for (int n = 0, previous = 1; n < 2 * rounds; ++n) {
        largest += previous;
        previous = largest - previous;
    }
    pthread_create(&threads[0], NULL, add_to_i, NULL);
    pthread_create(&threads[1], NULL, add_to_j, NULL);
    int seen_i = atomic_load(&i);
    int seen_j = atomic_load(&j);
    assert(seen_i <= largest && seen_j <= largest);
    pthread_exit(NULL); /* the threads run on */
}
