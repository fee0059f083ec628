/* A scan that reads its stride before main has set it goes on with a stride of one. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stride;

static void *scan(void *unused)
{
    volatile int position = 0;
    int step = atomic_load(&stride);
    (void)unused;
    if (step <= 0)
        step = 1;
    while (position < 64)
        position += step;
    return NULL;
}

int main(void)
{
    pthread_t scanner;
    pthread_create(&scanner, NULL, scan, NULL);
    atomic_store(&stride, 8);
    pthread_join(scanner, NULL);
    return 0;
}
