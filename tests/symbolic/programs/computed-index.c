// One thread computes an index from an input, another uses it: for one value in 65536 it lies behind the block.
#include <pthread.h>
#include <stdlib.h>

unsigned short __VERIFIER_nondet_ushort(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned index_of_slot;
static int *slots;

static void *place(void *unused)
{
    unsigned short input = __VERIFIER_nondet_ushort();
    pthread_mutex_lock(&lock);
    index_of_slot = input == 54321 ? 4 : input % 4;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *use(void *unused)
{
    pthread_mutex_lock(&lock);
    slots[index_of_slot] = 1; // BUG
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    slots = malloc(4 * sizeof *slots);
    pthread_create(&first, NULL, place, NULL);
    pthread_create(&second, NULL, use, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(slots);
    return 0;
}
