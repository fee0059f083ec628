/* A mailbox holds one message; a sender that finds the last one not yet fetched overwrites it,
   and the old message is lost. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
    int number;
};

static _Atomic(struct message *) mailbox;

static void post(int number)
{
    struct message *message = malloc(sizeof *message);
    message->number = number;
    atomic_store(&mailbox, message);
}

static void *fetch(void *unused)
{
    (void)unused;
    free(atomic_exchange(&mailbox, NULL));
    return NULL;
}

int main(void)
{
    pthread_t receiver;
    pthread_create(&receiver, NULL, fetch, NULL);
    post(1);
    post(2);
    pthread_join(receiver, NULL);
    fetch(NULL);
    return 0;
}
