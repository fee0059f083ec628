/* The same barrier, whose waiters look at the count only. */
#define COUNT_ONLY
#include "textbook-barrier-reuse-fixed.c"
