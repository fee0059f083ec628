// Main adds up a large table of atomics after every other thread has ended: thousands of loads in a row that
// see nothing new are progress, not a spin.
#include <atomic>
#include <thread>

static std::atomic<int> hits[2500];

int main() {
    std::thread client([] { hits[1].store(1); });
    client.join();
    int sum = 0;
    for (const std::atomic<int> &slot : hits)
        sum += slot.load();
    return sum == 1 ? 0 : 1;
}
