/* A trace buffer that grows without end and never gives a block back: the memory limit ends the
   search. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct block {
    struct block *older;
    char bytes[1 << 20];
};

static struct block *newest;
static atomic_ulong attempts;

static void *trace(void *unused)
{
    (void)unused;
    for (;;) {
        atomic_fetch_add(&attempts, 1);
        struct block *block = malloc(sizeof *block);
        if (block == NULL)
            continue;
        memset(block->bytes, 't', sizeof block->bytes);
        block->older = newest;
        newest = block;
    }
    return NULL;
}

int main(void)
{
    pthread_t tracer;
    pthread_create(&tracer, NULL, trace, NULL);
    pthread_join(tracer, NULL);
    return 0;
}
