// The standard mutexes: a recursive one counts, a timed one gives up, scoped_lock and unique_lock release in every case.
#include <cassert>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

static std::mutex plain;
static std::recursive_mutex nested;
static std::timed_mutex timed;
static int balance;

static int factorial(int n) {
    std::lock_guard<std::recursive_mutex> guard(nested);
    balance++;
    return n < 2 ? 1 : n * factorial(n - 1);
}

static void deposit(int amount) {
    try {
        std::scoped_lock guard(plain);
        balance += amount;
        throw std::runtime_error("after the change");
    } catch (const std::runtime_error &) {
    }
}

int main() {
    assert(balance == 0);
    std::unique_lock<std::timed_mutex> held(timed);
    std::unique_lock<std::recursive_mutex> outer(nested);
    assert(factorial(3) == 6 && balance == 3);
    std::thread([] {
        assert(!nested.try_lock());
        auto begin = std::chrono::steady_clock::now();
        assert(!timed.try_lock_for(std::chrono::milliseconds(2)));
        assert(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(2));
    }).join();
    held.unlock();
    outer.unlock();

    std::thread first(deposit, 10);
    std::thread second(deposit, 20);
    first.join();
    second.join();
    assert(balance == 33);
    std::thread([] {
        assert(nested.try_lock() && timed.try_lock_for(std::chrono::milliseconds(1)));
        timed.unlock();
        nested.unlock();
    }).join();
    std::unique_lock<std::mutex> guard(plain);
    bool refused = false;
    try {
        guard.lock(); // the wrapper knows that it owns the mutex and does not touch it
    } catch (const std::system_error &error) {
        refused = error.code() == std::errc::resource_deadlock_would_occur;
    }
    assert(refused && guard.owns_lock());
}
