// malloc, calloc and realloc may fail, each is looked at, and nothing is lost.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    int *volatile first = malloc(sizeof *first);
    int *volatile second = calloc(4, sizeof *second);
    assert(first != NULL || errno == ENOMEM);
    if (first != NULL) *first = 1;
    int *volatile larger = realloc(first, 100 * sizeof *first);
    if (larger == NULL) {
        free(first);
    } else {
        free(larger);
    }
    assert(second == NULL || second[3] == 0);
    free(second);
    return 0;
}
