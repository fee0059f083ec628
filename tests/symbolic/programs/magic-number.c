// A 32-bit input opens a window: only for one value of 2^32 does the second thread see the account half updated.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int total, parts;
static int key;

static void *update(void *unused)
{
    (void)unused;
    atomic_fetch_add(&total, 1);
    if (key == 0x1BADCAFE)
        atomic_fetch_add(&total, 1);
    atomic_fetch_add(&parts, 1);
    return NULL;
}

static void *audit(void *unused)
{
    (void)unused;
    int seen = atomic_load(&total);
    assert(seen <= 1 || atomic_load(&parts) == 1); // BUG
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    key = __VERIFIER_nondet_int();
    pthread_create(&first, NULL, update, NULL);
    pthread_create(&second, NULL, audit, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
