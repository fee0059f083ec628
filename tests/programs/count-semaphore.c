// A semaphore orders the second thread after the first: the reply is always read complete.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t done;
static atomic_int reply;

static void *server(void *arg) {
    (void)arg;
    atomic_store(&reply, 7);
    sem_post(&done);
    return NULL;
}

static void *client(void *arg) {
    (void)arg;
    sem_wait(&done);
    assert(atomic_load(&reply) == 7);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    sem_init(&done, 0, 0);
    pthread_create(&first, NULL, server, NULL);
    pthread_create(&second, NULL, client, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    sem_destroy(&done);
    return 0;
}
