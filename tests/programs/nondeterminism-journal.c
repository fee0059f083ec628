/* A journal file is left behind and grows from run to run; what the program does depends on its
   length. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static const char journal[] = "/tmp/heddle-corpus-journal";
static atomic_int even, odd, done;

static long append_entry(void)
{
    int file = open(journal, O_RDWR | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, ".", 1) != 1)
        abort();
    long length = lseek(file, 0, SEEK_END);
    if (length >= 64 && ftruncate(file, 0) != 0)
        abort();
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
    pthread_create(&thread, NULL, background, NULL);
    if (append_entry() % 2 == 0)
        atomic_fetch_add(&even, 1); // BUG
    else
        atomic_store(&odd, 1); // BUG
    atomic_fetch_add(&done, 1);
    atomic_fetch_add(&done, 1);
    pthread_join(thread, NULL);
    return 0;
}
