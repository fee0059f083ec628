// The network may lose a packet, but not two in a row, and the sender sends a lost one again.
#include <heddle/heddle.h>
#include <semaphore.h>

#include <thread>

static sem_t received;

static bool network_delivers() {
    static bool lost_last;
    lost_last = !lost_last && heddle_choose(2) == 1;
    return !lost_last;
}

static void send() {
    while (!network_delivers()) {
    }
    sem_post(&received);
}

int main() {
    sem_init(&received, 0, 0);
    std::thread sender(send);
    sem_wait(&received);
    sender.join();
    sem_destroy(&received);
    return 0;
}
