/* The same stack without versions. */
#define TOP_ONLY
#include "textbook-treiber-stack-fixed.c"
