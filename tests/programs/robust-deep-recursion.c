/* A thread recurses ten thousand frames deep, within the usual stack of a thread. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct trail {
    const struct trail *up;
    int level;
};

static atomic_int deepest;

static int descend(const struct trail *up, int levels)
{
    struct trail here = { up, up == NULL ? 1 : up->level + 1 };
    if (levels > 1)
        return descend(&here, levels - 1);
    int length = 0;
    for (const struct trail *step = &here; step != NULL; step = step->up)
        length++;
    atomic_store(&deepest, length);
    return here.level;
}

static void *explore(void *unused)
{
    (void)unused;
    assert(descend(NULL, 10000) == 10000);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, explore, NULL);
    explore(NULL);
    pthread_join(thread, NULL);
    assert(atomic_load(&deepest) == 10000);
    return 0;
}
