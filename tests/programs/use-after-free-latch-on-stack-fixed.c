/* A thread starts a helper and waits for it with a mutex and a condition variable of its own, on its stack. The helper
   tells it under the lock, so that it has done with both when the other one goes on and ends. (AFTER_UNLOCK: it tells
   when it has given the lock back, and the condition variable may be gone.) */
#include <pthread.h>
#include <stddef.h>

struct latch {
  pthread_mutex_t guard;
  pthread_cond_t changed;
  int open;
};

static void *help(void *arg) {
  struct latch *latch = arg;
  pthread_mutex_lock(&latch->guard);
  latch->open = 1;
#ifdef AFTER_UNLOCK
  pthread_mutex_unlock(&latch->guard);
  pthread_cond_signal(&latch->changed); /* BUG */
#else
  pthread_cond_signal(&latch->changed);
  pthread_mutex_unlock(&latch->guard);
#endif
  return NULL;
}

static pthread_t helper;

static void *work(void *arg) {
  struct latch latch = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
  pthread_create(&helper, NULL, help, &latch);
  pthread_mutex_lock(&latch.guard);
  while (!latch.open) pthread_cond_wait(&latch.changed, &latch.guard);
  pthread_mutex_unlock(&latch.guard);
  return arg;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_join(worker, NULL);
  pthread_join(helper, NULL);
  return 0;
}
