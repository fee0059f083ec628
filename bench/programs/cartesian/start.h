/* The programs of the Cartesian paper (Gueta, Flanagan, Yahav, Sagiv: SPIN 2007) at the granularity of its table 1: one visible
   operation or one section (heddle_atomic_begin/end) for each transition, heddle_choose(1) for a local one.

   All threads begin together there. Here main creates them in a section, in which nobody else runs, and returns: with N threads that
   adds 1 + N states and transitions to the plain search (before the section, and before each creation). */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdint.h>

static pthread_t start_handle;

static void start(void *(*body)(void *), int first, int count)
{
    heddle_atomic_begin();
    for (int i = 0; i < count; ++i)
        pthread_create(&start_handle, NULL, body, (void *)(intptr_t)(first + i));
    heddle_atomic_end();
}

static inline void local_step(void)
{
    heddle_choose(1);
}

static inline void run_on_locally(void)
{
    for (;;)
        local_step();
}
