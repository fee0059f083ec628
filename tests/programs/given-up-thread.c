// A background thread does nothing but sleep while main ends the program: it is given up, so the rest of it is not covered
// and the verdict must not be "verified".
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *tick(void *unused)
{
    for (;;)
        sleep(1);
    return unused;
}

int main(void)
{
    pthread_t clock;
    pthread_create(&clock, NULL, tick, NULL);
    return 0;
}
