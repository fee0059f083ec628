/* Clearing a list frees each node and then reads the link to the next one out of it. */
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

struct list {
    pthread_mutex_t guard;
    struct node *head;
    void (*dispose)(void *);
};

static void *produce(void *argument)
{
    struct list *list = argument;
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    pthread_mutex_lock(&list->guard);
    node->next = list->head;
    list->head = node;
    pthread_mutex_unlock(&list->guard);
    return NULL;
}

static void clear(struct list *list)
{
    for (struct node *node = list->head; node != NULL; node = node->next) // BUG
        list->dispose(node); // BUG (where clang at -O2 puts the load)
    list->head = NULL;
}

int main(void)
{
    struct list list = { PTHREAD_MUTEX_INITIALIZER, NULL, free };
    pthread_t producer;
    pthread_create(&producer, NULL, produce, &list);
    produce(&list);
    pthread_join(producer, NULL);
    clear(&list);
    return 0;
}
