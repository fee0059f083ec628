/* Two threads that hand over to each other ROUNDS times with two semaphores: every operation is followed by a switch. Then a
   choice of 200, so that all of it is replayed as often. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t ping, pong;
static int rounds;

static void *other(void *unused)
{
    for (int i = 0; i < rounds; ++i) {
        sem_wait(&ping);
        sem_post(&pong);
    }
    return unused;
}

int main(int argc, char **argv)
{
    (void)argc;
    pthread_t thread;
    rounds = atoi(argv[1]);
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    heddle_choose(100);
    pthread_create(&thread, NULL, other, NULL);
    for (int i = 0; i < rounds; ++i) {
        sem_post(&ping);
        sem_wait(&pong);
    }
    pthread_join(thread, NULL);
    return 0;
}
