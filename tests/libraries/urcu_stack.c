/* liburcu's lock-free stack (cds_lfs, header code): two pushes and a pop. Nothing is lost or doubled. */
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/lfstack.h>

static struct cds_lfs_stack stack;
static struct cds_lfs_node nodes[3];

static void *push(void *node) {
  cds_lfs_node_init(node);
  cds_lfs_push(&stack, node);
  return NULL;
}

int main(void) {
  cds_lfs_init(&stack);
  push(&nodes[0]);
  pthread_t thread;
  pthread_create(&thread, NULL, push, &nodes[1]);
  struct cds_lfs_node *first = __cds_lfs_pop(&stack); /* one popper */
  push(&nodes[2]);
  pthread_join(thread, NULL);
  assert(first == &nodes[0] || first == &nodes[1]);
  int seen = 1 << (first - nodes);
  for (struct cds_lfs_node *node; (node = __cds_lfs_pop(&stack)) != NULL; seen |= 1 << (node - nodes)) {
    assert((seen & 1 << (node - nodes)) == 0);
  }
  assert(seen == 7);
  return 0;
}
