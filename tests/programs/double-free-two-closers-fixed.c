/* Two threads close the same connection: the buffer is taken out of the connection in one
   critical section, so only one of them frees it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;

static void *close_connection(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&guard);
    char *mine = buffer;
    buffer = NULL;
    pthread_mutex_unlock(&guard);
    free(mine);
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
