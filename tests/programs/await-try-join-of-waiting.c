// Main looks whether a thread has ended that waits for another one: both may look in vain, and then nothing is stuck.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void* wait_for_flag(void* unused) {
    while (atomic_load(&flag) == 0) {
    }
    return unused;
}

static void* set_flag(void* unused) {
    atomic_store(&flag, 1);
    return unused;
}

int main(void) {
    pthread_t waiting, setting;
    pthread_create(&waiting, NULL, wait_for_flag, NULL);
    pthread_create(&setting, NULL, set_flag, NULL);
    while (pthread_tryjoin_np(waiting, NULL) != 0) {
    }
    pthread_join(setting, NULL);
}
