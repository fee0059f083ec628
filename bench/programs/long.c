/* Two threads of L visible operations each on objects of their own, and two accesses of each to objects of both, a third
   and two thirds of the way: long executions with few traces. With "mutex", every third operation is atomic and stands
   in a critical section of the thread's own, and what both use are two mutexes.
   TIMES executions of each trace, by a choice at the beginning.
   Traces: 2 * 2 = 4, either thread first at each of the two objects that both use. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int length, with_mutexes;
/* Not static: clang leaves out accesses to variables of the file that nobody reads, or nobody writes. */
atomic_int own[2], shared[2];
static pthread_mutex_t own_mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t shared_mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void private_operations(int thread, int count)
{
    for (; with_mutexes && count >= 3; count -= 3) {
        pthread_mutex_lock(&own_mutex[thread]);
        atomic_fetch_add(&own[thread], 1);
        pthread_mutex_unlock(&own_mutex[thread]);
    }
    for (; count > 0; --count)
        atomic_fetch_add(&own[thread], 1);
}

static void common_operation(int object)
{
    if (with_mutexes) {
        pthread_mutex_lock(&shared_mutex[object]);
        pthread_mutex_unlock(&shared_mutex[object]);
    } else {
        atomic_fetch_add(&shared[object], 1);
    }
}

static void *run(void *argument)
{
    int thread = *(int *)argument, third = length / 3;
    private_operations(thread, third);
    common_operation(0);
    private_operations(thread, third);
    common_operation(1);
    private_operations(thread, length - 2 * third);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    int names[2] = {0, 1};
    length = argc > 1 ? atoi(argv[1]) : 100;
    with_mutexes = argc > 2 && strcmp(argv[2], "mutex") == 0;
    if (argc > 3)
        heddle_choose(atoi(argv[3]));
    for (int n = 0; n < 2; ++n)
        pthread_create(&threads[n], NULL, run, &names[n]);
    for (int n = 0; n < 2; ++n)
        pthread_join(threads[n], NULL);
    return 0;
}
