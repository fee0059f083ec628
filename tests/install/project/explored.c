// Two additions to one variable: as many executions as orders, 2.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int sum;
static void *add(void *argument) {
  atomic_fetch_add(&sum, 1);
  return argument;
}

int main(int argc, char **argv) {
  (void)argc;
  pthread_t thread;
  pthread_create(&thread, NULL, add, NULL);
  add(NULL);
  pthread_join(thread, NULL);
  assert(atomic_load(&sum) == atoi(argv[1]));
  return 0;
}
