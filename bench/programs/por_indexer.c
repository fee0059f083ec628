/* Figure 1 of Flanagan and Godefroid (POPL 2005), as printed: N threads and nothing else. They are created in one step,
   and nobody waits for them, so that the transitions counted are the paper's, but for that step: each thread inserts 4
   messages into a hash table of 128 entries, by compare-and-swap. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SIZE = 128, MAX = 4, MOST = SIZE / MAX };

static _Atomic int table[SIZE];

static int hash(int w) { return (w * 7) % SIZE; }

static void *insert(void *tid)
{
    for (int m = 1; m <= MAX; ++m) {
        int w = m * 11 + (int)(long)tid;
        int h = hash(w);
        int empty = 0;
        while (!atomic_compare_exchange_strong(&table[h], &empty, w)) {
            h = (h + 1) % SIZE;
            empty = 0;
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 12;
    heddle_atomic_begin();
    for (long t = 1; t <= count && t <= MOST; ++t) {
        pthread_t thread;
        pthread_create(&thread, NULL, insert, (void *)t);
    }
    heddle_atomic_end();
    return 0;
}
