/* Two threads test that a stack is not empty and pop in a second critical section: the later one
   reads the element before the start of the block. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int *items;
static int depth;

static int empty(void)
{
    pthread_mutex_lock(&guard);
    int result = depth == 0;
    pthread_mutex_unlock(&guard);
    return result;
}

static int pop(void)
{
    pthread_mutex_lock(&guard);
    int item = items[--depth]; // BUG
    pthread_mutex_unlock(&guard);
    return item;
}

static void *consume(void *unused)
{
    (void)unused;
    if (!empty() && pop() != 7)
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
