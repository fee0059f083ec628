// The repaired twin of overflow.c: two deposits of at most 32767 fit.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

unsigned short __VERIFIER_nondet_ushort(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint16_t balance;

static void *deposit(void *unused)
{
    uint16_t amount = __VERIFIER_nondet_ushort();
    if (amount > 32767)
        return unused;
    pthread_mutex_lock(&lock);
    uint16_t before = balance;
    balance = (uint16_t)(balance + amount);
    assert(balance >= before);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, deposit, NULL);
    pthread_create(&second, NULL, deposit, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
