/* One thread frees a block that another writes to. Only one order shows it where nobody looks for races. */
#include <pthread.h>
#include <stdlib.h>

static int *block;
static int first, second;

static void *writer(void *unused)
{
    first = 1;
    *block = 2; /* bug */
    return unused;
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof *block);
    *block = 0;
    pthread_create(&thread, NULL, writer, NULL);
    second = 1;
    free(block); /* bug */
    pthread_join(thread, NULL);
    return 0;
}
