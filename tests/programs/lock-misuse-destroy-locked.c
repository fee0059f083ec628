// The worker announces the result inside its critical section; the client destroys the request's mutex while the
// worker still holds it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

struct request {
  pthread_mutex_t lock;
  sem_t done;
  int result;
};

static struct request request;

static void* work(void* arg) {
  struct request* r = arg;
  pthread_mutex_lock(&r->lock);
  r->result = 42;
  sem_post(&r->done);
  pthread_mutex_unlock(&r->lock);
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_mutex_init(&request.lock, NULL);
  sem_init(&request.done, 0, 0);
  pthread_create(&worker, NULL, work, &request);
  sem_wait(&request.done);
  assert(request.result == 42);
  pthread_mutex_destroy(&request.lock);  // BUG
  pthread_join(worker, NULL);
  sem_destroy(&request.done);
  return 0;
}
