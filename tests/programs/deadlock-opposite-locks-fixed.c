// Transfers between two accounts lock the account with the lower number first, whatever the direction.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
  pthread_mutex_t lock;
  int number;
  int balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 1, 100};
static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 2, 50};

static void transfer(struct account* from, struct account* to, int amount) {
  struct account* low = from->number < to->number ? from : to;
  struct account* high = low == from ? to : from;
  pthread_mutex_lock(&low->lock);
  pthread_mutex_lock(&high->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
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
