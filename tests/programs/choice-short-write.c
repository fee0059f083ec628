/* A device takes any non-empty part of what it is given; the caller does not look at how much
   was written. */
#include <assert.h>
#include <heddle/heddle.h>
#include <string.h>

static char sink[8];
static int stored;

static int device_write(const char *data, int length)
{
    int taken = 1 + heddle_choose(length);
    memcpy(sink + stored, data, taken);
    stored += taken;
    return taken;
}

int main(void)
{
    static const char message[] = "ready";
    int length = (int)strlen(message);
    device_write(message, length);
    assert(stored == length); // BUG
    return 0;
}
