/* The same, with counting not guarded. */
#define UNGUARDED
#include "textbook-readers-writers-fixed.c"
