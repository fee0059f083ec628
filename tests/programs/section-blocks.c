/* A thread that has to wait in the middle of its section lets others run; once it can go on, it goes on before them. */
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
    int waits = atomic_load(&begun) != 0 && atomic_load(&done) == 0;
    pthread_mutex_unlock(&mutex);
    if (waits)
        heddle_assert(atomic_load(&done) == 1);
    pthread_join(thread, NULL);
    return 0;
}
