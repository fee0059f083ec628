// The byte count checks the current session and then loads the pointer again; a close in between leaves it null.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct session {
  int bytes;
};

static struct session live = {1500};
static struct session* _Atomic current = &live;
static atomic_int counted;

static void* count_bytes(void* arg) {
  (void)arg;
  if (atomic_load(&current) != NULL) {
    struct session* open = atomic_load(&current);
    atomic_fetch_add(&counted, open->bytes);  // BUG
  }
  return NULL;
}

static void* close_session(void* arg) {
  (void)arg;
  atomic_store(&current, NULL);
  return NULL;
}

int main(void) {
  pthread_t counter, closer;
  pthread_create(&counter, NULL, count_bytes, NULL);
  pthread_create(&closer, NULL, close_session, NULL);
  pthread_join(counter, NULL);
  pthread_join(closer, NULL);
  int total = atomic_load(&counted);
  assert(total == 0 || total == 1500);
  return 0;
}
