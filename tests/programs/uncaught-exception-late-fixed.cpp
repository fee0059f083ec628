// Only a worker that looks between two stores throws, and catches it itself.
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> stage{0};

int main() {
    std::thread worker([] {
        if (stage == 1)
            try {
                throw std::runtime_error("late");
            } catch (const std::runtime_error &) {
            }
    });
    stage = 1;
    stage = 2;
    worker.join();
}
