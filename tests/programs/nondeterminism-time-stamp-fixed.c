/* Statistics are sampled by a pseudo-random sequence with a fixed seed, the same in every run. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sampled, peeked;

static int chosen(unsigned long long ticks)
{
    return (ticks * 0x9E3779B97F4A7C15ull) >> 63;
}

static void *background(void *unused)
{
    (void)unused;
    atomic_fetch_add(&peeked, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    unsigned long long seed = 12345;
    pthread_create(&thread, NULL, background, NULL);
    for (int round = 0; round < 32; round++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        if (chosen(seed))
            atomic_fetch_add(&sampled, 1);
        else
            (void)atomic_load(&peeked);
    }
    pthread_join(thread, NULL);
    return 0;
}
