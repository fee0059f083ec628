// A semaphore by name, opened twice: the same one. It is gone when the name is, and begins anew in each execution.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t *here, *there;
static atomic_int last;

static void *post(void *arg) {
    sem_post(here);
    atomic_store(&last, 1);
    return arg;
}

static void *wait(void *arg) {
    sem_wait(there);
    atomic_store(&last, 2);
    return arg;
}

int main(void) {
    pthread_t first, second;
    assert(sem_open("/heddle-test", 0) == SEM_FAILED && errno == ENOENT);
    here = sem_open("/heddle-test", O_CREAT | O_EXCL, 0600, 0);
    assert(here != SEM_FAILED);
    assert(sem_open("/heddle-test", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
    there = sem_open("/heddle-test", O_CREAT, 0600, 5);
    assert(there == here);
    pthread_create(&first, NULL, post, NULL);
    pthread_create(&second, NULL, wait, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(sem_close(there) == 0 && sem_unlink("/heddle-test") == 0 && sem_close(here) == 0);
    assert(sem_open("/heddle-test", 0) == SEM_FAILED && errno == ENOENT);
    return 0;
}
