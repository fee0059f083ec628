// A store to an atomic of 24 bytes, which a library call does, releases but does not acquire: the one in
// reset() does not order the accesses to the plain counter.
#include <atomic>
#include <thread>

struct Position {
    long x, y, z;
};

static std::atomic<Position> target{Position{}};
static std::atomic<bool> aimed{false};
static int moves;

static void aim() {
    moves = 1; // BUG
    target.store(Position{1, 2, 3});
    aimed.store(true, std::memory_order_relaxed);
}

static void reset() {
    if (aimed.load(std::memory_order_relaxed)) {
        target.store(Position{});
        moves = 2; // BUG
    }
}

int main() {
    std::thread pilot(aim);
    std::thread console(reset);
    pilot.join();
    console.join();
    return moves > 0 ? 0 : 1;
}
