// What a function does to a structure that it was given by value is not done to the caller's: to a local one, and to
// a global one that another thread changes later.
#include <assert.h>
#include <pthread.h>

struct numbers {
    int first, others[6];
};

static struct numbers shared = {1, {2, 3, 4, 5, 6, 7}};

static int used_up(struct numbers n)
{
    int sum = n.first;
    n.first = 100;
    for (int i = 0; i < 6; ++i) {
        sum += n.others[i];
        n.others[i] = 0;
    }
    return sum + n.first;
}

static void *add(void *unused)
{
    struct numbers own = {1, {1, 1, 1, 1, 1, 1}};
    assert(used_up(own) == 107);
    assert(used_up(own) == 107);
    assert(used_up(shared) == 128);
    assert(shared.first == 1 && shared.others[5] == 7);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
    shared.first = 2;
    assert(used_up(shared) == 129);
    return 0;
}
