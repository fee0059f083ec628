// Peterson's lock, but each thread names itself in `turn` instead of the other: both may enter.
#include <atomic>
#include <thread>

static std::atomic<bool> wants[2];
static std::atomic<int> turn;
static int counter;

static void enter(int me) {
    const int other = 1 - me;
    wants[me].store(true);
    turn.store(me);
    while (wants[other].load() && turn.load() == other) {
    }
    counter++; // BUG
    wants[me].store(false);
}

int main() {
    std::thread first(enter, 0), second(enter, 1);
    first.join();
    second.join();
    return counter == 2 ? 0 : 1;
}
