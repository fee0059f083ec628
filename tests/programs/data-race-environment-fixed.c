/* The environment is changed before there are threads; then any number of them may look into it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *look(void *unused)
{
    assert(strcmp(getenv("HEDDLE_EXAMPLE_MODE"), "fast") == 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    setenv("HEDDLE_EXAMPLE_MODE", "fast", 1);
    pthread_create(&thread, NULL, look, NULL);
    look(NULL);
    pthread_join(thread, NULL);
    return 0;
}
