// A packaged task moved into a thread: its result, or the exception it throws, arrives in a shared future.
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

static int divide(int a, int b) {
    if (b == 0)
        throw std::invalid_argument("division by zero");
    return a / b;
}

int main() {
    std::packaged_task<int(int, int)> task(divide);
    std::shared_future<int> result = task.get_future().share();
    std::thread worker(std::move(task), 42, 6);
    assert(result.get() == 7);
    worker.join();
    assert(result.get() == 7 && result.valid()); // a shared future can be read again

    std::packaged_task<int(int, int)> failing(divide);
    std::future<int> error = failing.get_future();
    std::thread other(std::move(failing), 1, 0);
    other.join();
    assert(error.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
    bool thrown = false;
    try {
        error.get();
    } catch (const std::invalid_argument &) {
        thrown = true;
    }
    assert(thrown);
}
