/* Four threads have each a variable of their own; main asks once whether the first has ended. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 4 };

static atomic_int done[THREADS];

static void *work(void *own)
{
    atomic_store((atomic_int *)own, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &done[i]);
    int first = pthread_tryjoin_np(threads[0], NULL) == 0 ? 1 : 0;
    for (int i = first; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
