// Dekker's lock, but a thread looks whether the other wants to enter before it says that it wants to itself.
#include <atomic>
#include <thread>

static std::atomic<bool> wants[2];
static std::atomic<int> turn;
static int counter;

static void enter(int me) {
    const int other = 1 - me;
    while (wants[other].load()) {
    }
    wants[me].store(true);
    counter++; // BUG
    turn.store(other);
    wants[me].store(false);
}

int main() {
    std::thread first(enter, 0), second(enter, 1);
    first.join();
    second.join();
    return counter == 2 ? 0 : 1;
}
