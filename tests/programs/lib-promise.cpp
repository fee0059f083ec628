// A promise kept by another thread: the future waits for the value; a second promise is broken.
#include <cassert>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

int main() {
    std::promise<std::string> promise;
    std::future<std::string> future = promise.get_future();
    std::thread thread([&promise] { promise.set_value("a value too long for the small buffer"); });
    assert(future.get() == "a value too long for the small buffer");
    thread.join();
    try {
        promise.set_value("again");
        assert(!"an exception was expected");
    } catch (const std::future_error &error) {
        assert(error.code() == std::future_errc::promise_already_satisfied);
    }

    auto dropped = std::make_unique<std::promise<int>>();
    std::future<int> never = dropped->get_future();
    assert(never.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout);
    dropped.reset();
    try {
        never.get();
        assert(!"an exception was expected");
    } catch (const std::future_error &error) {
        assert(error.code() == std::future_errc::broken_promise);
    }
}
