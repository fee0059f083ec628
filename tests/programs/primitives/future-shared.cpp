// Two readers of one shared_future, and a wait with a limit.
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::shared_future<int> answer = promise.get_future().share();
    std::thread first([answer] { assert(answer.get() == 42); });
    const auto status = answer.wait_for(std::chrono::milliseconds(1));
    assert(status == std::future_status::timeout);
    promise.set_value(42);
    assert(answer.get() == 42);
    first.join();
}
