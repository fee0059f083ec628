/* The same where it takes back what it has shown before it ends. */
#define LOOKER_FIRST
#include "use-after-free-progress-on-stack-fixed.c"
