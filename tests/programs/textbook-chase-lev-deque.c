/* The same deque, whose owner takes the last item without asking. */
#define NO_SETTLING
#include "textbook-chase-lev-deque-fixed.c"
