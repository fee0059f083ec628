// Transfers between two accounts lock source before target: two transfers in opposite directions deadlock.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 50};

static void transfer(struct account* from, struct account* to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);  // BUG
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void* pay_rent(void* arg) {
  (void)arg;
  transfer(&checking, &savings, 30);
  return NULL;
}

static void* withdraw_savings(void* arg) {
  (void)arg;
  transfer(&savings, &checking, 10);
  return NULL;
}

int main(void) {
  pthread_t rent, withdrawal;
  pthread_create(&rent, NULL, pay_rent, NULL);
  pthread_create(&withdrawal, NULL, withdraw_savings, NULL);
  pthread_join(rent, NULL);
  pthread_join(withdrawal, NULL);
  assert(savings.balance == 120 && checking.balance == 30);
  return 0;
}
