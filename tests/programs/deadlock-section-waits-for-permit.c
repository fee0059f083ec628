// A section waits for a permit that another section gives, unless main takes it first. While one section is open another one
// begins and ends.
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t permits;
static atomic_int taken;

static void *take(void *arg) {
    heddle_atomic_begin();
    sem_wait(&permits); /* BUG */
    atomic_fetch_add(&taken, 1);
    heddle_atomic_end();
    return arg;
}

static void *give(void *arg) {
    heddle_atomic_begin();
    sem_post(&permits);
    heddle_atomic_end();
    return arg;
}

int main(void) {
    pthread_t taker, giver;
    sem_init(&permits, 0, 0);
    pthread_create(&giver, NULL, give, NULL);
    pthread_create(&taker, NULL, take, NULL);
    sem_trywait(&permits);
    pthread_join(taker, NULL); /* BUG: waits as well */
    pthread_join(giver, NULL);
    return 0;
}
