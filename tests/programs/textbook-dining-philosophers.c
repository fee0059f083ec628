/* The same, each taking the left fork first. */
#define LEFT_FIRST
#include "textbook-dining-philosophers-fixed.c"
