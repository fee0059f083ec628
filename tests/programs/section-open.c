/* A section that is open when its thread ends, ends with it. */
#include <heddle/heddle.h>
#include <pthread.h>

static int x, y;

static void *ends_inside(void *unused)
{
    heddle_atomic_begin();
    x = 1;
    y = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, ends_inside, NULL);
    heddle_atomic_begin();
    heddle_assert(x == y);
    heddle_atomic_end();
    pthread_join(thread, NULL);
    heddle_atomic_begin();
    heddle_assert(x == 1 && y == 1);
    heddle_atomic_end();
    return 0;
}
