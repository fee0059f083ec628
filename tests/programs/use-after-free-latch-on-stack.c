/* The same with the signal after the unlock. */
#define AFTER_UNLOCK
#include "use-after-free-latch-on-stack-fixed.c"
