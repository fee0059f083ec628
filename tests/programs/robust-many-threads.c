/* Two hundred threads without a visible operation of their own: each fills in its own element of
   a table. */
#include <assert.h>
#include <pthread.h>

enum { count = 200 };

static long squares[count];

static void *fill(void *argument)
{
    long *element = argument;
    long index = element - squares;
    *element = index * index;
    return NULL;
}

int main(void)
{
    static pthread_t threads[count];
    for (int i = 0; i < count; i++)
        assert(pthread_create(&threads[i], NULL, fill, &squares[i]) == 0);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    for (long i = 0; i < count; i++)
        assert(squares[i] == i * i);
    return 0;
}
