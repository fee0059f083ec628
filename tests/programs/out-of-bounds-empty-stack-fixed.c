/* Two threads pop from a stack; the test for an empty stack and the pop are one critical section. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int *items;
static int depth;

static bool pop(int *item)
{
    pthread_mutex_lock(&guard);
    bool found = depth > 0;
    if (found)
        *item = items[--depth];
    pthread_mutex_unlock(&guard);
    return found;
}

static void *consume(void *unused)
{
    int item;
    (void)unused;
    if (pop(&item) && item != 7)
        abort();
    return NULL;
}

int main(void)
{
    pthread_t consumer;
    items = malloc(4 * sizeof *items);
    items[depth++] = 7;
    pthread_create(&consumer, NULL, consume, NULL);
    consume(NULL);
    pthread_join(consumer, NULL);
    free(items);
    return 0;
}
