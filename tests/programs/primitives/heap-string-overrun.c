// A string is copied into a block without room for its end.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *copy = malloc(5);
    strcpy(copy, "heddl\0" + 0); /* BUG */
    free(copy);
    return 0;
}
