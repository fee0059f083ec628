// pthread_once: the routine runs once, and whoever comes back from the call sees everything it wrote.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int runs;
static int table[3];

static void build_table(void) {
    table[0] = 1;
    atomic_fetch_add(&runs, 1); // the other thread may arrive here, in the middle
    table[1] = 2;
    table[2] = 3;
}

static void *user(void *arg) {
    assert(pthread_once(&once, build_table) == 0);
    *(int *)arg = table[0] + table[1] + table[2];
    assert(pthread_once(&once, build_table) == 0);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int sum[2] = {0, 0};
    assert(atomic_load(&runs) == 0 && table[2] == 0);
    assert(pthread_create(&first, NULL, user, &sum[0]) == 0);
    assert(pthread_create(&second, NULL, user, &sum[1]) == 0);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(sum[0] == 6 && sum[1] == 6);
    assert(atomic_load(&runs) == 1);
    return 0;
}
