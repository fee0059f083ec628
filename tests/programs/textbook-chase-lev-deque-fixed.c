/* Chase and Lev's work-stealing deque: owner and thief settle by a compare-exchange of the top who gets the last item. If the
   owner just takes it (NO_SETTLING), both may. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom;
static atomic_int items[4];
static atomic_int taken[3];

static void take(int item) { assert(atomic_fetch_add(&taken[item], 1) == 0); }

static void push(int item) {
  const int at = atomic_load(&bottom);
  atomic_store(&items[at], item);
  atomic_store(&bottom, at + 1);
}

static void pop(void) {
  const int at = atomic_load(&bottom) - 1;
  atomic_store(&bottom, at);
  int first = atomic_load(&top);
  if (first > at) {
    atomic_store(&bottom, at + 1);
    return;
  }
  const int item = atomic_load(&items[at]);
  if (first == at) {
#ifndef NO_SETTLING
    const int won = atomic_compare_exchange_strong(&top, &first, first + 1);
    atomic_store(&bottom, at + 1);
    if (!won) return;
#else
    atomic_store(&top, first + 1);
    atomic_store(&bottom, at + 1);
#endif
  }
  take(item);
}

static void *steal(void *arg) {
  int first = atomic_load(&top);
  if (first >= atomic_load(&bottom)) return arg;
  const int item = atomic_load(&items[first]);
  if (atomic_compare_exchange_strong(&top, &first, first + 1)) take(item);
  return arg;
}

int main(void) {
  push(1);
  push(2);
  pthread_t thread;
  pthread_create(&thread, NULL, steal, NULL);
  pop();
  pop();
  pthread_join(thread, NULL);
  pop();
  assert(atomic_load(&taken[1]) == 1 && atomic_load(&taken[2]) == 1);
  return 0;
}
