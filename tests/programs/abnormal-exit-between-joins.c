// Four workers are joined one behind the other. A check between two of the joins ends the process in some executions.
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
        if (i == 2 && before[1] == 3) _exit(3); /* BUG */
    }
    return 0;
}
