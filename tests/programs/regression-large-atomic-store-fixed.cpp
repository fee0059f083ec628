// An exchange of an atomic of 24 bytes, which a library call does, acquires what the store it reads from
// released: the accesses to the plain counter are ordered.
#include <atomic>
#include <thread>

struct Position {
    long x, y, z;
};

static std::atomic<Position> target{Position{}};
static int moves;

static void aim() {
    moves = 1;
    target.store(Position{1, 2, 3});
}

static void reset() {
    if (target.exchange(Position{}).x == 1)
        moves = 2;
}

int main() {
    std::thread pilot(aim);
    std::thread console(reset);
    pilot.join();
    console.join();
    return moves > 0 ? 0 : 1;
}
