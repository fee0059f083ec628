// The same with a POSIX semaphore, which looks and falls asleep in one step.
#include <semaphore.h>

#include <cassert>
#include <thread>

static sem_t permit;
static int turns;

static void take_turn() {
    sem_wait(&permit);
    ++turns;
    sem_post(&permit);
}

int main() {
    sem_init(&permit, 0, 1);
    std::thread first(take_turn), second(take_turn);
    first.join();
    second.join();
    assert(turns == 2);
}
