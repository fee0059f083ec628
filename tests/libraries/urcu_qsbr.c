/* liburcu, QSBR flavour: a reader of a structure that a writer replaces. It sees the old or the new one, whole and not yet freed. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu-qsbr.h>

struct pair { int a, b; };
static struct pair *current;

static void *reader(void *arg) {
  rcu_register_thread();
  rcu_read_lock();
  struct pair *seen = rcu_dereference(current);
  assert(seen->a == seen->b);
  rcu_read_unlock();
  rcu_unregister_thread();
  return arg;
}

int main(void) {
  rcu_register_thread();
  current = malloc(sizeof *current);
  current->a = current->b = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  struct pair *next = malloc(sizeof *next), *old = current;
  next->a = next->b = 2;
  rcu_assign_pointer(current, next);
  synchronize_rcu();
  free(old);
  pthread_join(thread, NULL);
  free(next);
  rcu_unregister_thread();
  return 0;
}
