// One thread initialises a mutex while another one may already lock it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sessions;

static void *set_up(void *arg) {
    pthread_mutex_init(&lock, NULL); // BUG
    return arg;
}

static void *open_session(void *arg) {
    pthread_mutex_lock(&lock); // BUG
    sessions++;
    pthread_mutex_unlock(&lock); // BUG
    return arg;
}

int main(void) {
    pthread_t installer, client;
    pthread_create(&installer, NULL, set_up, NULL);
    pthread_create(&client, NULL, open_session, NULL);
    pthread_join(installer, NULL);
    pthread_join(client, NULL);
    return 0;
}
