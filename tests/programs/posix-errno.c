// errno belongs to the thread: failures elsewhere, in the middle of this thread's work, leave it alone.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int steps;

static void *closes(void *arg) {
    assert(errno == 0);
    assert(close(-1) == -1 && errno == EBADF);
    atomic_fetch_add(&steps, 1);
    assert(errno == EBADF);
    *(int **)arg = &errno;
    return NULL;
}

static void *parses(void *arg) {
    assert(errno == 0);
    assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
    atomic_fetch_add(&steps, 1);
    assert(errno == ERANGE);
    *(int **)arg = &errno;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int *place[2] = {NULL, NULL};
    assert(errno == 0);
    assert(atomic_load(&steps) == 0);
    errno = EDOM;
    assert(pthread_create(&first, NULL, closes, &place[0]) == 0);
    assert(pthread_create(&second, NULL, parses, &place[1]) == 0);
    assert(errno == EDOM);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(errno == EDOM);
    assert(place[0] != &errno && place[1] != &errno);
    return 0;
}
