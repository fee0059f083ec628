/* Two workers count served requests with one atomic addition each; main returns 0. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int served;

static void *serve(void *unused)
{
    (void)unused;
    atomic_fetch_add(&served, 1);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, serve, NULL);
    pthread_create(&second, NULL, serve, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    if (atomic_load(&served) != 2)
        return 1;
    return 0;
}
