/* A thread looks up a variable of the environment while another one is set. */
#include <pthread.h>
#include <stdlib.h>

static void *configure(void *unused)
{
    setenv("HEDDLE_EXAMPLE_MODE", "fast", 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, configure, NULL);
    const char *level = getenv("HEDDLE_EXAMPLE_LEVEL");
    pthread_join(thread, NULL);
    return level != NULL;
}
