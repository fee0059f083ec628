// A call on a pipe that is not modelled is refused by name.
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int from[2], to[2];
    if (pipe(from) != 0 || pipe(to) != 0) return 1;
    (void)!write(from[1], "x", 1);
    (void)splice(from[0], NULL, to[1], NULL, 1, 0);
    return 0;
}
