// Error-checking and recursive mutexes: what they answer, and that a mutex held twice is free after two unlocks only.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t checked, nested;
static int inside;

static void* other(void* arg) {
  (void)arg;
  assert(pthread_mutex_unlock(&checked) == EPERM);
  assert(pthread_mutex_unlock(&nested) == EPERM);
  if (pthread_mutex_trylock(&nested) == 0) {
    assert(inside++ == 0);
    inside--;
    assert(pthread_mutex_unlock(&nested) == 0);
  }
  return NULL;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_t thread;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&nested, &kind);
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&checked);
  assert(pthread_mutex_lock(&checked) == EDEADLK);
  assert(pthread_mutex_trylock(&checked) == EBUSY);
  pthread_mutex_lock(&nested);
  assert(pthread_mutex_trylock(&nested) == 0);
  assert(inside++ == 0);
  assert(pthread_mutex_unlock(&nested) == 0);
  inside--;
  assert(pthread_mutex_unlock(&nested) == 0);
  assert(pthread_mutex_unlock(&checked) == 0);
  pthread_join(thread, NULL);
  return 0;
}
