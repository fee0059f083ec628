// Two threads clear the same buffer with memset: equal values or not, these are two unordered writes.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char screen[64];

static void *clear(void *arg) {
    (void)arg;
    memset(screen, ' ', sizeof screen); // BUG
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, clear, NULL);
    pthread_create(&second, NULL, clear, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
