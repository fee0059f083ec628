/* The same lock, whose writer wakes one waiter only. */
#define WAKES_ONE
#include "textbook-rwlock-fixed.c"
