/* A thread is detached by its creator, who has done so already. */
#include <pthread.h>

static void *idle(void *unused) { return unused; }

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
    pthread_detach(thread);
    pthread_detach(thread); // BUG
    return 0;
}
