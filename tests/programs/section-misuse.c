/* The end of a section that nobody began. */
#include <heddle/heddle.h>

int main(void)
{
    heddle_atomic_begin();
    heddle_atomic_end();
    heddle_atomic_end(); /* bug */
    return 0;
}
