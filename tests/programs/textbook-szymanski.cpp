// Szymanski's lock, but the second thread does not wait for the first to leave the inner room.
#include <atomic>
#include <thread>

static std::atomic<int> place[2];
static int counter;

static void enter(int me) {
    const int other = 1 - me;
    place[me].store(1);
    while (place[other].load() > 2) {
    }
    place[me].store(3);
    if (place[other].load() == 1) {
        place[me].store(2);
        while (place[other].load() != 4) {
        }
    }
    place[me].store(4);
    counter++; // BUG
    for (int theirs = 2; me == 0 && (theirs == 2 || theirs == 3);)
        theirs = place[1].load();
    place[me].store(0);
}

int main() {
    std::thread first(enter, 0), second(enter, 1);
    first.join();
    second.join();
    return counter == 2 ? 0 : 1;
}
