// Copies of descriptors, nonblocking mode set later, bytes counted by ioctl, gathered writes and scattered reads.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
    int ends[2], count = 0;
    char a[3] = "", b[3] = "";
    struct iovec out[2] = {{"he", 2}, {"ld", 2}}, in[2] = {{a, 2}, {b, 2}};
    assert(pipe2(ends, O_CLOEXEC) == 0);
    const int copy = dup(ends[1]);
    close(ends[1]);
    assert(writev(copy, out, 2) == 4);
    assert(ioctl(ends[0], FIONREAD, &count) == 0 && count == 4);
    assert(readv(ends[0], in, 2) == 4 && strcmp(a, "he") == 0 && strcmp(b, "ld") == 0);
    assert((fcntl(ends[0], F_GETFL) & O_NONBLOCK) == 0);
    assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    assert(read(ends[0], a, 1) == -1 && errno == EAGAIN);
    assert(lseek(ends[0], 0, SEEK_SET) == -1 && errno == ESPIPE);
    assert(read(copy, a, 1) == -1 && errno == EBADF);
    close(copy);
    assert(read(ends[0], a, 1) == 0);
    close(ends[0]);
    assert(read(ends[0], a, 1) == -1 && errno == EBADF);
    return 0;
}
