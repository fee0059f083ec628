// The receiver polls a flag instead of waiting for the semaphore of the request: it may free the request,
// and the semaphore with it, while the sender posts.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct request {
    sem_t done;
    int reply;
};

static atomic_int answered;

static void *answer(void *arg) {
    struct request *request = arg;
    request->reply = 7;
    atomic_store(&answered, 1);
    sem_post(&request->done); // BUG
    return NULL;
}

static void *receive(void *arg) {
    if (!atomic_load(&answered))
        return arg; // left to main
    free(arg); // BUG
    return NULL;
}

int main(void) {
    pthread_t sender, receiver;
    void *left = NULL;
    struct request *request = malloc(sizeof *request);
    sem_init(&request->done, 0, 0);
    pthread_create(&sender, NULL, answer, request);
    pthread_create(&receiver, NULL, receive, request);
    pthread_join(sender, NULL);
    pthread_join(receiver, &left);
    free(left);
    return 0;
}
