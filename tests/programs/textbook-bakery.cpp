// Lamport's bakery without `choosing`: a thread that has not written its number yet is overlooked.
#include <atomic>
#include <thread>

static std::atomic<int> number[2];
static int counter;

static void enter(int me) {
    const int other = 1 - me;
    const int mine = number[other].load() + 1;
    number[me].store(mine);
    for (;;) {
        const int theirs = number[other].load();
        if (theirs == 0 || theirs > mine || (theirs == mine && me < other))
            break;
    }
    counter++; // BUG
    number[me].store(0);
}

int main() {
    std::thread first(enter, 0), second(enter, 1);
    first.join();
    second.join();
    return counter == 2 ? 0 : 1;
}
