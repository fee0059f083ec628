/* One thread, OPERATIONS atomic increments behind ("fresh") or in front of ("replayed") a choice of 200: each execution
   performs them anew, or only replays them. */
#include <heddle/heddle.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int counter;

int main(int argc, char **argv)
{
    (void)argc;
    int fresh = strcmp(argv[1], "fresh") == 0;
    if (fresh)
        heddle_choose(200);
    for (int i = atoi(argv[2]); i > 0; --i)
        atomic_fetch_add(&counter, 1);
    if (!fresh)
        heddle_choose(200);
    return 0;
}
