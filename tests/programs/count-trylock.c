// Two threads try to enter once: whoever finds the lock taken turns back and leaves no trace.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int entered;

static void *visitor(void *arg) {
    int rc = pthread_mutex_trylock(&lock);
    if (rc == 0) {
        entered++;
        pthread_mutex_unlock(&lock);
    } else {
        assert(rc == EBUSY);
        *(int *)arg = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int busy[2] = {0, 0};
    assert(entered == 0);
    pthread_create(&first, NULL, visitor, &busy[0]);
    pthread_create(&second, NULL, visitor, &busy[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(entered >= 1 && entered + busy[0] + busy[1] == 2);
    return 0;
}
