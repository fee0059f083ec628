// The same with a helper that says it is done before it is.
#define ONE_TOO_FEW
#include "use-after-free-helpers-of-a-thread-fixed.cpp"
