/* A thread writes its result where whoever joins it wants it: into a variable of a function that is still there. */
#include <assert.h>
#include <pthread.h>

struct task {
    int last;
    int sum;
};

static void *sum_up(void *argument)
{
    struct task *task = argument;
    for (int i = 1; i <= task->last; ++i) task->sum += i;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct task task = {4, 0};
    pthread_create(&thread, NULL, sum_up, &task);
    pthread_join(thread, NULL);
    assert(task.sum == 10);
    return 0;
}
