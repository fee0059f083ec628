/* Two threads close the same connection: each looks at the buffer in one critical section and
   frees it in another, so both may free the same block. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;

static void *close_connection(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&guard);
    char *mine = buffer;
    pthread_mutex_unlock(&guard);
    if (mine == NULL)
        return NULL;

    pthread_mutex_lock(&guard);
    free(mine); // BUG
    buffer = NULL;
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void)
{
    pthread_t peer;
    buffer = malloc(64);
    pthread_create(&peer, NULL, close_connection, NULL);
    close_connection(NULL);
    pthread_join(peer, NULL);
    return 0;
}
