// Only a worker that looks between two stores throws, and nobody catches it.
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> stage{0};

int main() {
    std::thread worker([] {
        if (stage == 1)
            throw std::runtime_error("late"); // BUG
    });
    stage = 1;
    stage = 2;
    worker.join();
}
