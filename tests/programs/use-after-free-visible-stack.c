/* The progress of a thread on its stack once more, with every access a step and nobody who knows what is ordered. */
#define TOO_LATE
#define LOOKER_FIRST
#include "use-after-free-progress-on-stack-fixed.c"
