/* The end of an inner section is not the end of the outer one. */
#include <heddle/heddle.h>
#include <pthread.h>

static int x, y;

static void set_x(void)
{
    heddle_atomic_begin();
    x = 1;
    heddle_atomic_end();
}

static void *writer(void *unused)
{
    heddle_atomic_begin();
    set_x();
    y = 1;
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    heddle_atomic_begin();
    heddle_assert(x == y);
    heddle_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
