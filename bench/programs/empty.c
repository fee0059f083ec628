/* Nothing but two choices of 256: 65536 executions, each of which is little more than a restart. */
#include <heddle/heddle.h>

int main(void)
{
    return heddle_choose(256) + heddle_choose(256) < 0;
}
