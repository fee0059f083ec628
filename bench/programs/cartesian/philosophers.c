#include "start.h"

static pthread_mutex_t fork_at[N];

static void *body(void *argument)
{
    int left = (int)(intptr_t)argument, right = (left + 1) % N;
    for (;;) {
        pthread_mutex_lock(&fork_at[left]);
        local_step();
        pthread_mutex_lock(&fork_at[right]);
        heddle_atomic_begin();
        pthread_mutex_unlock(&fork_at[left]);
        pthread_mutex_unlock(&fork_at[right]);
        heddle_atomic_end();
    }
    return NULL;
}

int main(void)
{
    start(body, 0, N);
    return 0;
}
