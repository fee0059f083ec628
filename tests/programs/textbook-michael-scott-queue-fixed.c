/* Michael and Scott's queue, two producers and one consumer. The consumer frees the node it leaves behind; before it does, it
   sees to it that the tail has gone on (without that, HEAD_PASSES_TAIL, a producer appends to a freed node). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  _Atomic(struct node *) next;
};
static _Atomic(struct node *) head, tail;

static struct node *make(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  atomic_init(&node->next, NULL);
  return node;
}

static void enqueue(int value) {
  struct node *node = make(value);
  for (;;) {
    struct node *last = atomic_load(&tail), *expected = NULL;
    if (atomic_compare_exchange_strong(&last->next, &expected, node)) {
      atomic_compare_exchange_strong(&tail, &last, node);
      return;
    }
    atomic_compare_exchange_strong(&tail, &last, expected);
  }
}

static int dequeue(int *value) {
  struct node *first = atomic_load(&head), *second = atomic_load(&first->next);
  if (second == NULL) return 0;
#ifndef HEAD_PASSES_TAIL
  struct node *last = first;
  if (atomic_load(&tail) == first) atomic_compare_exchange_strong(&tail, &last, second);
#endif
  *value = second->value;
  atomic_store(&head, second); /* one consumer */
  free(first);
  return 1;
}

static void *produce(void *arg) {
  enqueue(1);
  return arg;
}

int main(void) {
  struct node *dummy = make(0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  pthread_t thread;
  pthread_create(&thread, NULL, produce, NULL);
  int value = 0, seen = 0;
  if (dequeue(&value)) seen = value;
  enqueue(2);
  pthread_join(thread, NULL);
  while (dequeue(&value)) seen = 10 * seen + value;
  assert(seen == 12 || seen == 21);
  free(atomic_load(&head));
  return 0;
}
