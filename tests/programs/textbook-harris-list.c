/* The same list, in which nodes are unlinked without being marked. */
#define UNMARKED
#include "textbook-harris-list-fixed.c"
