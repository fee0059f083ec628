// Thread-specific data: empty in a new thread, destroyed at its end with the slot already cleared, and again when re-set.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t buffer_key, stubborn_key, deleted_key, plain_key;
static atomic_int buffers_freed, stubborn_calls;

static void free_buffer(void *value) {
    assert(pthread_getspecific(buffer_key) == NULL);
    free(value);
    atomic_fetch_add(&buffers_freed, 1);
}

static void re_set(void *value) {
    assert(pthread_getspecific(stubborn_key) == NULL);
    int *left = value;
    atomic_fetch_add(&stubborn_calls, 1);
    if (--*left > 0)
        assert(pthread_setspecific(stubborn_key, left) == 0);
}

static void never(void *value) {
    (void)value;
    assert(!"destructor of a deleted key");
}

static void *worker(void *arg) {
    assert(pthread_getspecific(buffer_key) == NULL);
    assert(pthread_getspecific(plain_key) == NULL);
    int *buffer = malloc(sizeof *buffer);
    *buffer = *(int *)arg;
    assert(pthread_setspecific(buffer_key, buffer) == 0);
    assert(pthread_setspecific(plain_key, arg) == 0);
    assert(pthread_setspecific(deleted_key, arg) == 0);
    if (*(int *)arg == 3)
        assert(pthread_setspecific(stubborn_key, arg) == 0);
    atomic_load(&buffers_freed);
    assert(*(int *)pthread_getspecific(buffer_key) == *(int *)arg);
    assert(pthread_getspecific(plain_key) == arg);
    assert(pthread_setspecific(deleted_key, NULL) == 0); // an empty slot has no destructor call
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int three = 3, five = 5;
    assert(atomic_load(&buffers_freed) == 0 && atomic_load(&stubborn_calls) == 0);
    assert(pthread_key_create(&buffer_key, free_buffer) == 0);
    assert(pthread_key_create(&stubborn_key, re_set) == 0);
    assert(pthread_key_create(&deleted_key, never) == 0);
    assert(pthread_key_create(&plain_key, NULL) == 0);
    assert(pthread_getspecific(plain_key) == NULL);
    assert(pthread_create(&first, NULL, worker, &three) == 0);
    assert(pthread_create(&second, NULL, worker, &five) == 0);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(atomic_load(&buffers_freed) == 2);
    assert(three == 0 && atomic_load(&stubborn_calls) == 3);
    assert(pthread_key_delete(deleted_key) == 0);
    assert(pthread_key_delete(deleted_key) == EINVAL);
    assert(pthread_setspecific(deleted_key, &three) == EINVAL);
    assert(pthread_key_delete(buffer_key) == 0);
    assert(pthread_key_delete(stubborn_key) == 0);
    assert(pthread_key_delete(plain_key) == 0);
    return 0;
}
