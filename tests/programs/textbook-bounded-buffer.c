/* The same buffer with `if` instead of `while`. */
#define LOOKS_ONCE
#include "textbook-bounded-buffer-fixed.c"
