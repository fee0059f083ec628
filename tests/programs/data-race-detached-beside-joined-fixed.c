/* The detached thread says when it is done, and main listens before it joins the other one and reads; then it starts another thread
   and lets that one write. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int written;
static sem_t done;

static void *write_it(void *arg) {
    written = 1;
    sem_post(&done);
    return arg;
}

static void *write_again(void *arg) {
    ++written;
    return arg;
}

static void *nothing(void *arg) { return arg; }

int main(void) {
    pthread_t writer, other, last;
    sem_init(&done, 0, 0);
    pthread_create(&writer, NULL, write_it, NULL);
    pthread_detach(writer);
    sem_wait(&done);
    pthread_create(&other, NULL, nothing, NULL);
    pthread_join(other, NULL);
    if (written != 1) return 1;
    pthread_create(&last, NULL, write_again, NULL);
    pthread_join(last, NULL);
    return written != 2;
}
