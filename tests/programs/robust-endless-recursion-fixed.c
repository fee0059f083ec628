/* A walk over linked folders stops at a folder it has been to. */
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

static int depth(const struct folder *folder, const struct trail *up)
{
    struct trail here = { up, folder };
    int length = 1;
    for (const struct trail *step = up; step != NULL; step = step->up) {
        if (step->folder == folder)
            return 0;
        length++;
    }
    if (folder->link == NULL)
        return length;
    int below = depth(folder->link, &here);
    return below > length ? below : length;
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
