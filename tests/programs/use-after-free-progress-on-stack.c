/* The same without taking it back. The thread that looks is the one that a search lets run first, so it comes too late
   only where the end of the other is put before it. */
#define TOO_LATE
#define LOOKER_FIRST
#include "use-after-free-progress-on-stack-fixed.c"
