/* A worker counts a batch of one to three records while main counts one with a load and a store:
   records are lost. */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int records;
static int batch;

static void *count_batch(void *unused)
{
    (void)unused;
    for (int i = 0; i < batch; i++)
        atomic_fetch_add(&records, 1);
    return NULL;
}

int main(void)
{
    pthread_t worker;
    batch = 1 + heddle_choose(3);
    pthread_create(&worker, NULL, count_batch, NULL);
    int before = atomic_load(&records);
    atomic_store(&records, before + 1);
    pthread_join(worker, NULL);
    assert(atomic_load(&records) == batch + 1); // BUG
    return 0;
}
