/* The same without the second look. */
#define UNCHECKED
#include "textbook-hazard-pointer-fixed.c"
