/* Where main returns, values of its keys are not destroyed. They are not lost either: it has them. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *use(void *unused)
{
    pthread_setspecific(key, malloc(16));
    return unused;
}

int main(void)
{
    pthread_t thread;
    assert(pthread_key_create(&key, free) == 0);
    pthread_setspecific(key, malloc(16));
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    return 0;
}
