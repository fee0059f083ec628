// Atomics of 16 bytes, and of sizes that no instruction has: compare-exchange loops of two threads lose nothing.
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
    long a, b;
};
struct Odd {
    char bytes[3];
};

static std::atomic<Pair> pair{Pair{0, 0}};
static std::atomic<Odd> odd{Odd{{0, 0, 0}}};

static void bump() {
    Pair seen = pair.load();
    while (!pair.compare_exchange_strong(seen, Pair{seen.a + 1, seen.b - 1})) {
    }
    odd.exchange(Odd{{1, 2, 3}});
}

int main() {
    std::thread thread(bump);
    bump();
    thread.join();
    const Pair end = pair.load();
    assert(end.a == 2 && end.b == -2 && odd.load().bytes[2] == 3);
}
