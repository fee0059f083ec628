// Two threads clear one half of a buffer each with memset: the writes meet but do not overlap.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char screen[64];

static void *clear(void *arg) {
    memset(arg, ' ', sizeof screen / 2);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, clear, screen);
    pthread_create(&second, NULL, clear, screen + sizeof screen / 2);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
