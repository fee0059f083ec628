/* The same queue, in which the head may pass the tail. */
#define HEAD_PASSES_TAIL
#include "textbook-michael-scott-queue-fixed.c"
