/* The same, with looking and sitting down as two steps. */
#define LOOK_FIRST
#include "textbook-sleeping-barber-fixed.c"
