/* Harris's ordered list: a node is marked in its own link before it is unlinked, so that nothing can be put behind it any more.
   Unlinked without the mark (UNMARKED), a node takes along what another thread has just put behind it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { MARK = 128, END = 3 };
static atomic_int next[END + 1]; /* link of node k, which holds the key k; node 0 is the head */

/* The last node before `key`, and its successor; unlinks marked nodes on the way. */
static int find(int key, int *before) {
again:
  *before = 0;
  int here = atomic_load(&next[0]);
  while (here != END) {
    int link = atomic_load(&next[here]);
    if (link & MARK) {
      int expected = here;
      if (!atomic_compare_exchange_strong(&next[*before], &expected, link & ~MARK)) goto again;
      here = link & ~MARK;
      continue;
    }
    if (here >= key) return here;
    *before = here;
    here = link;
  }
  return here;
}

static void insert(int key) {
  for (;;) {
    int before, behind = find(key, &before);
    atomic_store(&next[key], behind);
    if (atomic_compare_exchange_strong(&next[before], &behind, key)) return;
  }
}

static void erase(int key) {
  for (;;) {
    int before, here = find(key, &before);
    assert(here == key);
    int link = atomic_load(&next[here]);
#ifndef UNMARKED
    if (!atomic_compare_exchange_strong(&next[here], &link, link | MARK)) continue;
#endif
    if (atomic_compare_exchange_strong(&next[before], &here, link)) return;
    find(key, &before);
    return;
  }
}

static void *insert_two(void *arg) {
  insert(2);
  return arg;
}

int main(void) {
  atomic_init(&next[0], END);
  insert(1);
  pthread_t thread;
  pthread_create(&thread, NULL, insert_two, NULL);
  erase(1);
  pthread_join(thread, NULL);
  int before;
  assert(find(1, &before) == 2);
  return 0;
}
