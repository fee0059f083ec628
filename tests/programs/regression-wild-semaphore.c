// The consumer waits for a semaphore of a channel that may not be registered yet: the address passed to
// sem_wait lies a few bytes above NULL.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

struct channel {
    long id;
    long capacity;
    sem_t items;
};

static struct channel telemetry = {.id = 1, .capacity = 4};
static struct channel *_Atomic registered;

static void *open_channel(void *arg) {
    sem_init(&telemetry.items, 0, 1);
    atomic_store(&registered, &telemetry);
    return arg;
}

int main(void) {
    pthread_t opener;
    pthread_create(&opener, NULL, open_channel, NULL);
    struct channel *channel = atomic_load(&registered);
    sem_wait(&channel->items); // BUG
    pthread_join(opener, NULL);
    return 0;
}
