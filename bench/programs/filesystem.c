/* Figure 7 of Flanagan and Godefroid (POPL 2005): N threads each look for a free block for an inode; locks guard inodes
   and blocks. What they guard is plain data.
   Traces: 1 for N <= 13 (no two threads use the same block), 2^(N-13) for 13 <= N <= 26: each further thread starts at
   the block of one other thread, and one of the two comes first. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BLOCKS = 26, INODES = 32, MOST = 26 };

static pthread_mutex_t lock_inode[INODES], lock_block[BLOCKS];
static int inode[INODES];
static bool busy[BLOCKS];

static void *allocate(void *tid)
{
    int i = *(int *)tid % INODES;
    pthread_mutex_lock(&lock_inode[i]);
    if (inode[i] == 0) {
        int b = (i * 2) % BLOCKS;
        while (true) {
            pthread_mutex_lock(&lock_block[b]);
            if (!busy[b]) {
                busy[b] = true;
                inode[i] = b + 1;
                pthread_mutex_unlock(&lock_block[b]);
                break;
            }
            pthread_mutex_unlock(&lock_block[b]);
            b = (b + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&lock_inode[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 14;
    pthread_t threads[MOST];
    int tids[MOST];
    assert(count >= 0 && count <= MOST);
    for (int i = 0; i < INODES; ++i)
        pthread_mutex_init(&lock_inode[i], NULL);
    for (int b = 0; b < BLOCKS; ++b)
        pthread_mutex_init(&lock_block[b], NULL);
    for (int t = 0; t < count; ++t) {
        tids[t] = t + 1;
        pthread_create(&threads[t], NULL, allocate, &tids[t]);
    }
    for (int t = 0; t < count; ++t)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < count; ++t) {
        assert(inode[tids[t]] != 0);
        for (int other = 0; other < t; ++other)
            assert(inode[tids[other]] != inode[tids[t]]);
    }
    return 0;
}
