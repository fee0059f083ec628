// Two threads, one critical section each: the balance is updated under the lock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *amount) {
    pthread_mutex_lock(&lock);
    balance += *(int *)amount;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int ten = 10, five = 5;
    assert(balance == 0);
    pthread_create(&first, NULL, deposit, &ten);
    pthread_create(&second, NULL, deposit, &five);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(balance == 15);
    return 0;
}
