// The network may lose the only packet of a sender, and the receiver waits for it for ever.
#include <heddle/heddle.h>
#include <semaphore.h>

#include <thread>

static sem_t received;

static bool network_delivers() {
    return heddle_choose(2) == 0;
}

static void send() {
    if (network_delivers())
        sem_post(&received);
}

int main() {
    sem_init(&received, 0, 0);
    std::thread sender(send);
    sem_wait(&received); // BUG
    sender.join();
    sem_destroy(&received);
    return 0;
}
