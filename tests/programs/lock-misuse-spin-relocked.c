/* A spin lock is taken again by the thread that has it. */
#include <pthread.h>

int main(void)
{
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_lock(&lock); // BUG
    return 0;
}
