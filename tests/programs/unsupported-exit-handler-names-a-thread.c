/* main has been left by pthread_exit, and an exit handler joins a thread: if that is the one that ended last, and on which the
   handler runs, it joins itself. Which one that is depends on the order of steps that have nothing to do with each other. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_t first, second;
static atomic_int one, two;

static void at_end(void)
{
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
}

static void *add(void *counter)
{
    atomic_fetch_add((atomic_int *)counter, 1);
    return NULL;
}

int main(void)
{
    atexit(at_end);
    pthread_create(&first, NULL, add, &one);
    pthread_create(&second, NULL, add, &two);
    pthread_exit(NULL);
}
