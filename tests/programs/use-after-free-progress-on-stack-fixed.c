/* A thread shows its progress in a variable of its own, and takes it back before it ends: whoever looks does so under
   the lock under which it is taken back. (TOO_LATE: nobody takes it back, and the look may come after the end.) */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static const int *progress;
static atomic_int rounds;

static void show(const int *where) {
  pthread_mutex_lock(&guard);
  progress = where;
  pthread_mutex_unlock(&guard);
}

static void *work(void *arg) {
  int done = 0;
  ++done;
  show(&done);
  atomic_fetch_add(&rounds, 1);
#ifndef TOO_LATE
  show(NULL);
#endif
  return arg;
}

static void *look(void *arg) {
  int seen = 0;
  pthread_mutex_lock(&guard);
  if (progress != NULL) seen = *progress;
  pthread_mutex_unlock(&guard);
  return seen == 0 ? NULL : arg;
}

int main(void) {
  pthread_t threads[2];
#ifdef LOOKER_FIRST
  pthread_create(&threads[0], NULL, look, NULL);
  pthread_create(&threads[1], NULL, work, NULL);
#else
  pthread_create(&threads[0], NULL, work, NULL);
  pthread_create(&threads[1], NULL, look, NULL);
#endif
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
