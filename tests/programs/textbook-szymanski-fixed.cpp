// Szymanski's lock for two threads. 1: wants to enter, 2: waits for others at the door, 3: in the doorway, 4: inside.
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
    while (me == 1 && place[0].load() > 1) {
    }
    counter++;
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
