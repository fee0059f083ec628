/* The journal file is started afresh by every run and removed at its end. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char journal[64];
static atomic_int even, odd, done;

static long append_entry(void)
{
    int file = open(journal, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, ".", 1) != 1)
        abort();
    long length = lseek(file, 0, SEEK_END);
    close(file);
    return length;
}

static void *background(void *unused)
{
    (void)unused;
    atomic_fetch_add(&done, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    snprintf(journal, sizeof journal, "/tmp/heddle-corpus-journal-%d", (int)getpid());
    pthread_create(&thread, NULL, background, NULL);
    if (append_entry() % 2 == 0)
        atomic_fetch_add(&even, 1);
    else
        atomic_store(&odd, 1);
    atomic_fetch_add(&done, 1);
    atomic_fetch_add(&done, 1);
    pthread_join(thread, NULL);
    unlink(journal);
    return 0;
}
