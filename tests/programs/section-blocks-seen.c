/* Others see what a section has done so far when it has to wait. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int begun, done;

static void *waits_inside(void *unused)
{
    heddle_atomic_begin();
    atomic_store(&begun, 1);
    pthread_mutex_lock(&mutex);
    atomic_store(&done, 1);
    pthread_mutex_unlock(&mutex);
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waits_inside, NULL);
    pthread_mutex_lock(&mutex);
    heddle_assert(atomic_load(&begun) == atomic_load(&done)); /* bug */
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
