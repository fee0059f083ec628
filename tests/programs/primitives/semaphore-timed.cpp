// try_acquire_for: the permit in time, or not.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

static std::binary_semaphore permit{0};

int main() {
    using namespace std::chrono_literals;
    std::thread thread([] { permit.release(); });
    const bool got = permit.try_acquire_for(10ms);
    thread.join();
    assert(got != permit.try_acquire());
    assert(!permit.try_acquire_until(std::chrono::steady_clock::now() + 1ms));
}
