/* A scan reads its stride before main has set it: with a stride of zero the loop never ends, and
   it has no visible operation. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stride;

static void *scan(void *unused)
{
    volatile int position = 0;
    int step = atomic_load(&stride);
    (void)unused;
    while (position < 64) // BUG
        position += step; // BUG
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
