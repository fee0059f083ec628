// timed_mutex, recursive_timed_mutex and shared_timed_mutex: try_lock_for with and without success.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::timed_mutex plain;
static std::recursive_timed_mutex again;
static std::shared_timed_mutex shared;

int main() {
    assert(again.try_lock_for(1ms) && again.try_lock_until(std::chrono::steady_clock::now() + 1ms));
    again.unlock();
    again.unlock();
    assert(shared.try_lock_shared_for(1ms));
    assert(!shared.try_lock_for(1ms));
    shared.unlock_shared();
    std::thread thread([] {
        if (plain.try_lock_for(1ms)) plain.unlock();
    });
    plain.lock();
    plain.unlock();
    thread.join();
}
