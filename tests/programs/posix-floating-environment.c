/* Each thread has its own rounding, traps and exceptions of floating-point arithmetic. All traps are on: arithmetic that
   is not the program's would end it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <xmmintrin.h>

static atomic_int turns;

static void *work(void *rounding)
{
    /* No exception has occurred, none is masked. */
    unsigned control = (unsigned)(unsigned long)rounding;
    _mm_setcsr(control);
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&turns, 1);
        assert(_mm_getcsr() == control);
    }
    return NULL;
}

int main(void)
{
    pthread_t up, down;
    unsigned usual = _mm_getcsr();
    pthread_create(&up, NULL, work, (void *)(unsigned long)_MM_ROUND_UP);
    pthread_create(&down, NULL, work, (void *)(unsigned long)_MM_ROUND_DOWN);
    atomic_fetch_add(&turns, 1);
    pthread_join(up, NULL);
    pthread_join(down, NULL);
    assert(turns == 7);
    assert(_mm_getcsr() == usual);
    return 0;
}
