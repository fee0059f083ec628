// Random numbers in threads: seeded engines repeat exactly, a random_device can be read, values stay in range.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <random>
#include <thread>

static std::atomic<int> drawn{0};

static void draw() {
    std::mt19937 engine;
    engine.discard(9999);
    drawn++;
    assert(engine() == 4123659995u); // the value the standard gives
    std::random_device device;
    std::mt19937 seeded(device());
    int value = std::uniform_int_distribution<int>(1, 6)(seeded);
    assert(value >= 1 && value <= 6);
}

int main() {
    assert(drawn == 0);
    std::thread first(draw);
    std::thread second(draw);
    first.join();
    second.join();
    assert(drawn == 2);
    int begin = std::rand();
    std::srand(1);
    assert(std::rand() == begin && begin <= RAND_MAX);
    std::minstd_rand engine(5), copy = engine;
    assert(engine() == copy() && engine == copy);
}
