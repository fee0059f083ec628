// A recursive mutex is locked and unlocked once more inside; a helper that unlocks once too often gives it away.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t nested;
static int inside;

static void helper(void) {
  pthread_mutex_lock(&nested);
  pthread_mutex_unlock(&nested);
  pthread_mutex_unlock(&nested);
}

static void* other(void* arg) {
  (void)arg;
  pthread_mutex_lock(&nested);
  inside++;
  assert(inside == 1);
  inside--;
  pthread_mutex_unlock(&nested);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_t thread;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&nested, &kind);
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&nested);
  helper();
  assert(++inside == 1);
  inside--;
  pthread_mutex_unlock(&nested);
  pthread_join(thread, NULL);
  return 0;
}
