/* A barrier for two, used twice. Waiters wait for the end of their own round. If they wait for the count to be 0 (COUNT_ONLY), a
   fast thread that arrives at the second round keeps a slow one in the first. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count, generation;

static void pass(void) {
  pthread_mutex_lock(&mutex);
  const int mine = generation;
  if (++count == 2) {
    count = 0;
    ++generation;
    pthread_cond_broadcast(&changed);
  } else {
#ifdef COUNT_ONLY
    while (count != 0) pthread_cond_wait(&changed, &mutex);
    (void)mine;
#else
    while (generation == mine) pthread_cond_wait(&changed, &mutex);
#endif
  }
  pthread_mutex_unlock(&mutex);
}

static void *work(void *arg) {
  pass();
  pass();
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
