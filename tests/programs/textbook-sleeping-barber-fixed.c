/* A barber, one chair in the waiting room, two customers. Whoever finds the chair taken goes away; looking and sitting down are
   one step under the mutex. If they are two (LOOK_FIRST), two customers share a chair. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t customers, barber;
static int waiting, turned_away, served;

static int chair_is_free(void) {
#ifdef LOOK_FIRST
  pthread_mutex_lock(&mutex);
  const int is_free = waiting < 1;
  pthread_mutex_unlock(&mutex);
  return is_free;
#else
  return waiting < 1;
#endif
}

static void *customer(void *arg) {
#ifdef LOOK_FIRST
  const int stay = chair_is_free();
  pthread_mutex_lock(&mutex);
#else
  pthread_mutex_lock(&mutex);
  const int stay = chair_is_free();
#endif
  if (stay) {
    ++waiting;
    assert(waiting <= 1);
  } else {
    ++turned_away;
  }
  pthread_mutex_unlock(&mutex);
  sem_post(&customers); /* also by those who leave, so that the barber can go home */
  if (stay) sem_wait(&barber);
  return arg;
}

int main(void) {
  sem_init(&customers, 0, 0);
  sem_init(&barber, 0, 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, customer, NULL);
  for (int i = 0; i < 2; ++i) {
    sem_wait(&customers);
    pthread_mutex_lock(&mutex);
    const int somebody = waiting > 0;
    if (somebody) {
      --waiting;
      ++served;
    }
    pthread_mutex_unlock(&mutex);
    if (somebody) sem_post(&barber);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(served >= 1 && served + turned_away == 2);
  return 0;
}
