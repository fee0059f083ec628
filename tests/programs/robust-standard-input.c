/* Reads standard input to its end, which must come at once and in every execution. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int ticks;

static void *tick(void *unused)
{
    (void)unused;
    atomic_fetch_add(&ticks, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int length = 0;
    pthread_create(&thread, NULL, tick, NULL);
    while (getchar() != EOF)
        length++;
    assert(!ferror(stdin) && feof(stdin));
    assert(length == 0);
    tick(NULL);
    pthread_join(thread, NULL);
    assert(atomic_load(&ticks) == 2);
    return 0;
}
