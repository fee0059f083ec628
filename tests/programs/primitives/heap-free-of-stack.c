// An address is freed that no allocation returned.
#include <stdlib.h>

int main(void) {
    int local = 0;
    int *volatile pointer = &local;
    free(pointer); /* BUG */
    return 0;
}
