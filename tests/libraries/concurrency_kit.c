/* Concurrency Kit: ck_stack, whose atomics are inline assembly. */
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stddef.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];
static void *push(void *entry) {
  ck_stack_push_upmc(&stack, entry);
  return NULL;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, push, &entries[0]);
  push(&entries[1]);
  pthread_join(thread, NULL);
  int count = 0;
  while (ck_stack_pop_upmc(&stack) != NULL) ++count;
  assert(count == 2);
  return 0;
}
