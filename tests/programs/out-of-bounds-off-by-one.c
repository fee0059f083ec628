/* Two producers reserve slots of a log with an atomic addition; the test for a full log is off
   by one and lets the last record go behind the block. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { capacity = 3 };

static atomic_int used;
static long *records;

static void append(long value)
{
    int slot = atomic_fetch_add(&used, 1);
    if (slot <= capacity)
        records[slot] = value; // BUG
}

static void *produce(void *unused)
{
    (void)unused;
    append(1);
    append(2);
    return NULL;
}

int main(void)
{
    pthread_t producer;
    records = malloc(capacity * sizeof *records);
    pthread_create(&producer, NULL, produce, NULL);
    produce(NULL);
    pthread_join(producer, NULL);
    free(records);
    return 0;
}
