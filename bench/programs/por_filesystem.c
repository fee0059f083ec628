/* Figure 7 of Flanagan and Godefroid (POPL 2005), as printed: N threads and nothing else, created in one step and not
   waited for. With --visible=all, each thread has the paper's 8 transitions if it finds its first block free: lock the
   inode, read it, lock the block, read and write whether it is busy, write the inode, unlock both. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BLOCKS = 26, INODES = 32 };

static pthread_mutex_t lock_inode[INODES], lock_block[BLOCKS];
static int inode[INODES];
static bool busy[BLOCKS];

static void *allocate(void *tid)
{
    int i = (int)(long)tid % INODES;
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
    heddle_atomic_begin();
    for (long t = 1; t <= count; ++t) {
        pthread_t thread;
        pthread_create(&thread, NULL, allocate, (void *)t);
    }
    heddle_atomic_end();
    return 0;
}
