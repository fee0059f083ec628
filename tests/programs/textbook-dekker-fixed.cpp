// Dekker's lock for two threads: who does not have the turn steps back while the other wants to enter.
#include <atomic>
#include <thread>

static std::atomic<bool> wants[2];
static std::atomic<int> turn;
static int counter;

static void enter(int me) {
    const int other = 1 - me;
    wants[me].store(true);
    while (wants[other].load()) {
        if (turn.load() == me)
            continue;
        wants[me].store(false);
        while (turn.load() != me) {
        }
        wants[me].store(true);
    }
    counter++;
    turn.store(other);
    wants[me].store(false);
}

int main() {
    std::thread first(enter, 0), second(enter, 1);
    first.join();
    second.join();
    return counter == 2 ? 0 : 1;
}
