/* Treiber's stack, with a version beside the top so that it never comes back: without it (TOP_ONLY), a thread that read the top
   and its successor is fooled when the same top returns with another successor below (ABA). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NODES = 3, NONE = 0 };
#ifdef TOP_ONLY
#define NEXT_VERSION(top) 0
#else
#define NEXT_VERSION(top) (((top) >> 8) + 1)
#endif
static atomic_uint top;
static atomic_uint next[NODES + 1];

static void push(unsigned node) {
  unsigned old = atomic_load(&top);
  do {
    atomic_store(&next[node], old & 255);
  } while (!atomic_compare_exchange_strong(&top, &old, NEXT_VERSION(old) << 8 | node));
}

static unsigned pop(void) {
  unsigned old = atomic_load(&top);
  for (;;) {
    if ((old & 255) == NONE) return NONE;
    const unsigned below = atomic_load(&next[old & 255]);
    if (atomic_compare_exchange_strong(&top, &old, NEXT_VERSION(old) << 8 | below)) return old & 255;
  }
}

static unsigned taken;
static void *take_one(void *arg) {
  taken = pop();
  return arg;
}

int main(void) {
  for (unsigned node = NODES; node > 0; --node) push(node);
  pthread_t thread;
  pthread_create(&thread, NULL, take_one, NULL);
  const unsigned first = pop();
  const unsigned second = pop();
  push(first);
  pthread_join(thread, NULL);
  unsigned seen = 1U << taken | 1U << second;
  assert(taken != second);
  for (unsigned node; (node = pop()) != NONE; seen |= 1U << node) assert((seen & 1U << node) == 0);
  assert(seen == 14);
  return 0;
}
