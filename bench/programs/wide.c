/* N threads of OPERATIONS visible operations each, increments of a variable of their own and loads of one that nobody
   writes, by turns; the first and the last thread also add to two variables of both: wide executions with few traces.
   TIMES executions of each trace, by a choice at the beginning.
   Traces: 2 * 2 = 4, either thread first at each of the two variables, for N >= 2. */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MOST = 64 };

static int count, operations;
/* Not static: clang leaves out accesses to variables of the file that nobody reads, or nobody writes. */
atomic_int own[MOST], constant, shared[2];

static void *run(void *argument)
{
    int thread = *(int *)argument;
    int common = thread == 0 || thread == count - 1;
    for (int n = 0; n < operations; ++n) {
        if (n % 2 == 0)
            atomic_fetch_add(&own[thread], 1);
        else
            assert(atomic_load(&constant) == 0);
    }
    for (int n = 0; common && n < 2; ++n)
        atomic_fetch_add(&shared[n], 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    int names[MOST];
    count = argc > 1 ? atoi(argv[1]) : 2;
    operations = argc > 2 ? atoi(argv[2]) : 100;
    assert(count >= 2 && count <= MOST);
    if (argc > 3)
        heddle_choose(atoi(argv[3]));
    for (int n = 0; n < count; ++n) {
        names[n] = n;
        pthread_create(&threads[n], NULL, run, &names[n]);
    }
    for (int n = 0; n < count; ++n)
        pthread_join(threads[n], NULL);
    return 0;
}
