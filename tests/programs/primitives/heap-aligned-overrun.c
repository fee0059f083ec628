// One byte behind an aligned block.
#include <stdlib.h>

int main(void) {
    char *block = aligned_alloc(64, 64);
    volatile int index = 64;
    block[index] = 1; /* BUG */
    free(block);
    return 0;
}
