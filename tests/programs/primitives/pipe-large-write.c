// A write of more than PIPE_BUF bytes may come apart: refused by name.
#include <unistd.h>

static char bytes[70000];

int main(void) {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    (void)!write(ends[1], bytes, sizeof bytes);
    return 0;
}
