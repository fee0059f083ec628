/* Statistics are sampled by the time stamp counter of the processor: which operation each round
   does differs from run to run. */
#include <pthread.h>
#include <stdatomic.h>
#include <x86intrin.h>

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
    pthread_create(&thread, NULL, background, NULL);
    for (int round = 0; round < 32; round++) {
        if (chosen(__rdtsc()))
            atomic_fetch_add(&sampled, 1); // BUG
        else
            (void)atomic_load(&peeked); // BUG
    }
    pthread_join(thread, NULL);
    return 0;
}
