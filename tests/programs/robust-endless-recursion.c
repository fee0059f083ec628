/* A walk over linked folders has no guard against a cycle: once the other thread has linked the
   inner folder back to the outer one, the stack overflows. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct folder {
    struct folder *link;
};

struct trail {
    const struct trail *up;
    const struct folder *folder;
};

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct folder inner, outer = { &inner };

static int depth(const struct folder *folder, const struct trail *up) // BUG
{ // BUG
    struct trail here = { up, folder }; // BUG
    if (folder->link != NULL) // BUG
        return depth(folder->link, &here); // BUG
    int length = 0;
    for (const struct trail *step = &here; step != NULL; step = step->up)
        length++;
    return length;
}

static void *add_link(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&guard);
    inner.link = &outer;
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add_link, NULL);
    pthread_mutex_lock(&guard);
    assert(depth(&outer, NULL) == 2);
    pthread_mutex_unlock(&guard);
    pthread_join(thread, NULL);
    return 0;
}
