// Two deposits, each checked alone: together they overflow for some of 2^32 pairs of 16-bit inputs.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

unsigned short __VERIFIER_nondet_ushort(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint16_t balance;

static void *deposit(void *unused)
{
    uint16_t amount = __VERIFIER_nondet_ushort();
    if (amount > 40000)
        return unused;
    pthread_mutex_lock(&lock);
    uint16_t before = balance;
    balance = (uint16_t)(balance + amount);
    assert(balance >= before); // BUG
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
