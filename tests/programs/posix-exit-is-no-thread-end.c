/* main returns: values of keys are not destroyed, and nobody finds the robust mutex that it holds without an owner. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static pthread_key_t key;
static int destroyed;

static void destroy(void *value)
{
    assert(value == &key);
    ++destroyed;
}

static void *use(void *unused)
{
    pthread_setspecific(key, &key);
    return unused;
}

static void *wait_for_owner(void *unused)
{
    pthread_mutex_lock(&lock);
    assert(!"main has died and the process goes on");
    return unused;
}

int main(void)
{
    pthread_t user, waiter;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    pthread_mutex_lock(&lock);
    pthread_key_create(&key, destroy);
    pthread_create(&user, NULL, use, NULL);
    pthread_join(user, NULL);
    assert(destroyed == 1);
    pthread_setspecific(key, &destroyed);  /* not &key: its destructor would notice */
    pthread_create(&waiter, NULL, wait_for_owner, NULL);
    pthread_detach(waiter);
    return 0;
}
