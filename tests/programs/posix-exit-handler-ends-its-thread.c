/* main has been left by pthread_exit; the last thread's exit handler leaves by pthread_exit, too: the process ends all the same. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int counted;

static void at_end(void)
{
    assert(atomic_load(&counted) == 2);
    pthread_testcancel();  /* a thread that has come to its end cannot be cancelled */
    atomic_fetch_add(&counted, 1);
    pthread_exit(NULL);
}

static void *count(void *unused)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    atomic_fetch_add(&counted, 1);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    atexit(at_end);
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_exit(NULL);
}
