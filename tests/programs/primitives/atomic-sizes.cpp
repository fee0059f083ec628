// Atomics of 1, 2, 4 and 8 bytes, modified by two threads.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

static std::atomic<std::uint8_t> one;
static std::atomic<std::int16_t> two;
static std::atomic<unsigned> four;
static std::atomic<std::uint64_t> eight;

static void bump() {
    one.fetch_add(1);
    --two;
    four.fetch_xor(1);
    eight += std::uint64_t{1} << 40;
}

int main() {
    std::thread thread(bump);
    bump();
    thread.join();
    assert(one == 2 && two == -2 && four == 0 && eight == std::uint64_t{1} << 41);
}
