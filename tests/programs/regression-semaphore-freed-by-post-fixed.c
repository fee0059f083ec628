// The receiver waits for the semaphore of the request and frees the request, and the semaphore with it,
// after the sender has posted.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct request {
    sem_t done;
    int reply;
};

static void *answer(void *arg) {
    struct request *request = arg;
    request->reply = 7;
    sem_post(&request->done);
    return NULL;
}

static void *receive(void *arg) {
    struct request *request = arg;
    sem_wait(&request->done);
    assert(request->reply == 7);
    sem_destroy(&request->done);
    free(request);
    return NULL;
}

int main(void) {
    pthread_t sender, receiver;
    struct request *request = malloc(sizeof *request);
    sem_init(&request->done, 0, 0);
    pthread_create(&sender, NULL, answer, request);
    pthread_create(&receiver, NULL, receive, request);
    pthread_join(sender, NULL);
    pthread_join(receiver, NULL);
    return 0;
}
