// A named semaphore is used after it was closed and its name removed.
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *semaphore = sem_open("/heddle-closed", O_CREAT, 0600, 1);
    sem_unlink("/heddle-closed");
    sem_close(semaphore);
    sem_wait(semaphore); /* BUG */
    return 0;
}
