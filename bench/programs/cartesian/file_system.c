#include "start.h"

enum { BLOCKS = 26, INODES = 32 };
static pthread_mutex_t lock_inode[INODES], lock_block[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static void *body(void *argument)
{
    int i = (int)(intptr_t)argument % INODES;
    pthread_mutex_lock(&lock_inode[i]);
    if (inode[i] == 0) {
        for (int tried = 0; tried < BLOCKS; ++tried) {
            int b = (i * 2 + tried) % BLOCKS;
            pthread_mutex_lock(&lock_block[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&lock_block[b]);
                break;
            }
            pthread_mutex_unlock(&lock_block[b]);
        }
    }
    pthread_mutex_unlock(&lock_inode[i]);
    return NULL;
}

int main(void)
{
    start(body, 1, N);
    return 0;
}
