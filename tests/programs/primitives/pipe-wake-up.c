// The self-pipe: two threads write a byte each, main reads twice, and what they wrote before is there.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int message[2];

static void *sender(void *arg) {
    char number = *(const char *)arg;
    message[(int)number] = 7;
    assert(write(ends[1], &number, 1) == 1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    static char numbers[2] = {0, 1};
    assert(pipe(ends) == 0);
    pthread_create(&first, NULL, sender, &numbers[0]);
    pthread_create(&second, NULL, sender, &numbers[1]);
    for (int i = 0; i < 2; ++i) {
        char number = 9;
        assert(read(ends[0], &number, 1) == 1);
        assert(message[(int)number] == 7);
    }
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
