// The repaired twin of magic-number.c: no input opens the window.
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
        atomic_fetch_add(&parts, 0);
    atomic_fetch_add(&parts, 1);
    return NULL;
}

static void *audit(void *unused)
{
    (void)unused;
    int seen = atomic_load(&total);
    assert(seen <= 1 || atomic_load(&parts) == 1);
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
