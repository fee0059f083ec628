/* The same with the threads created the other way round. */
#define TOO_LATE
#include "use-after-free-progress-on-stack-fixed.c"
