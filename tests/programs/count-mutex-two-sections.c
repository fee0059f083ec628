// Two threads, two critical sections each: the total is the sum whatever the order.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit_twice(void *amount) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        balance += *(int *)amount;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int ten = 10, five = 5;
    assert(balance == 0);
    pthread_create(&first, NULL, deposit_twice, &ten);
    pthread_create(&second, NULL, deposit_twice, &five);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(balance == 30);
    return 0;
}
