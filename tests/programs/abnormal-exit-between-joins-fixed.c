// Four workers are joined one behind the other; what a check between two of the joins is afraid of cannot be.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int last;
static int before[4];

static void *work(void *number) {
    long own = (long)number;
    before[own] = atomic_exchange(&last, (int)own + 1);
    return NULL;
}

int main(void) {
    pthread_t workers[4];
    for (long i = 0; i < 4; ++i) pthread_create(&workers[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; ++i) {
        pthread_join(workers[i], NULL);
        if (i == 2 && before[1] == 2) _exit(3); /* never its own number */
    }
    return 0;
}
