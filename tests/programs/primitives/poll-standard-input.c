// Waiting for a descriptor that other processes decide about is refused by name.
#include <poll.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    struct pollfd inputs[2] = {{0, POLLIN, 0}, {ends[0], POLLIN, 0}};
    return poll(inputs, 2, -1) < 0;
}
