// A structure passed by value is read by the call: here while another thread writes it. The compiler
// does not instrument that access, so the native engine does not see it.
#include <pthread.h>

struct numbers {
    long numbers[6];
};

static struct numbers shared;

static long first_of(struct numbers n)
{
    return n.numbers[0];
}

static void *write_last(void *unused)
{
    shared.numbers[5] = 1; // BUG
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_last, NULL);
    long first = first_of(shared);
    pthread_join(thread, NULL);
    return (int)first;
}
