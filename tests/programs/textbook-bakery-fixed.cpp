// Lamport's bakery for two threads.
#include <atomic>
#include <thread>

static std::atomic<bool> choosing[2];
static std::atomic<int> number[2];
static int counter;

static void enter(int me) {
    const int other = 1 - me;
    choosing[me].store(true);
    const int mine = number[other].load() + 1;
    number[me].store(mine);
    choosing[me].store(false);
    while (choosing[other].load()) {
    }
    for (;;) {
        const int theirs = number[other].load();
        if (theirs == 0 || theirs > mine || (theirs == mine && me < other))
            break;
    }
    counter++;
    number[me].store(0);
}

int main() {
    std::thread first(enter, 0), second(enter, 1);
    first.join();
    second.join();
    return counter == 2 ? 0 : 1;
}
