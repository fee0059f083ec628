// Catch2 itself: not instrumented, because its own accesses are nobody's concern and it is large.
#define CATCH_CONFIG_MAIN
#include <heddle/catch2.hpp>
