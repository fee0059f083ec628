// A signal with a value is refused by name.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

int main(void) {
    const union sigval value = {.sival_int = 3};
    return pthread_sigqueue(pthread_self(), SIGUSR1, value);
}
