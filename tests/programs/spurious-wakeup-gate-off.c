/* The waiter tests its condition with "if", which is right as long as there are no spurious
   wake-ups: they are only explored on request. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open_gate;

static void *opener(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&guard);
    open_gate = 1;
    pthread_cond_signal(&opened);
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, opener, NULL);
    pthread_mutex_lock(&guard);
    if (!open_gate)
        pthread_cond_wait(&opened, &guard);
    assert(open_gate);
    pthread_mutex_unlock(&guard);
    pthread_join(thread, NULL);
    return 0;
}
