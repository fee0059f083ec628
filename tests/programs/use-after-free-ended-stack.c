/* A thread leaves the address of a local variable as its result; whoever joins it reads what is no longer there. */
#include <assert.h>
#include <pthread.h>

static void *sum_up(void *last)
{
    int sum = 0;
    for (int i = 1; i <= *(const int *)last; ++i) sum += i;
    pthread_exit(&sum);
}

int main(void)
{
    pthread_t thread;
    int last = 4;
    void *sum;
    pthread_create(&thread, NULL, sum_up, &last);
    pthread_join(thread, &sum);
    assert(*(const int *)sum == 10);
    return 0;
}
