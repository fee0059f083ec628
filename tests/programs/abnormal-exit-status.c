/* Two workers count served requests with a load and a store; when an update is lost, main
   returns 1. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int served;

static void *serve(void *unused)
{
    (void)unused;
    int before = atomic_load(&served);
    atomic_store(&served, before + 1);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, serve, NULL);
    pthread_create(&second, NULL, serve, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    if (atomic_load(&served) != 2) // BUG
        return 1; // BUG
    return 0;
}
