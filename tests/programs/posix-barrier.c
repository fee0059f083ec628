// Two rounds of a barrier: in each exactly one thread is the serial one, and nobody is ahead of the others' work.
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 2 };
static pthread_barrier_t barrier;
static int part[2];
static int serial[2][ROUNDS];

static void work(int me) {
    for (int round = 0; round < ROUNDS; round++) {
        if (round == 0)
            part[me] = me + 1;
        else
            assert(part[1 - me] == 2 - me); // written before the first barrier
        int rc = pthread_barrier_wait(&barrier);
        assert(rc == 0 || rc == PTHREAD_BARRIER_SERIAL_THREAD);
        serial[me][round] = rc == PTHREAD_BARRIER_SERIAL_THREAD;
    }
}

static void *worker(void *arg) {
    work(1);
    return arg;
}

int main(void) {
    pthread_t thread;
    assert(part[0] == 0 && part[1] == 0);
    assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
    assert(pthread_create(&thread, NULL, worker, NULL) == 0);
    work(0);
    assert(pthread_join(thread, NULL) == 0);
    for (int round = 0; round < ROUNDS; round++)
        assert(serial[0][round] + serial[1][round] == 1);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
