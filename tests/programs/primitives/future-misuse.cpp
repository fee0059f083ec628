// What futures and promises report: no state, a promise kept twice or never, a result asked for twice.
#include <cassert>
#include <future>

template <typename Body>
static std::future_errc error_of(Body body) {
    try {
        body();
    } catch (const std::future_error& error) {
        return static_cast<std::future_errc>(error.code().value());
    }
    return std::future_errc{};
}

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    assert(error_of([&] { promise.get_future(); }) == std::future_errc::future_already_retrieved);
    promise.set_value(3);
    assert(error_of([&] { promise.set_value(4); }) == std::future_errc::promise_already_satisfied);
    assert(future.get() == 3 && !future.valid());
    std::future<int> broken = std::promise<int>().get_future();
    assert(error_of([&] { broken.get(); }) == std::future_errc::broken_promise);
    std::packaged_task<int()> task([] { return 6; });
    std::future<int> result = task.get_future();
    task();
    task.reset();
    assert(result.get() == 6);
    std::future<int> deferred = std::async(std::launch::deferred, [] { return 7; });
    assert(deferred.wait_for(std::chrono::seconds(0)) == std::future_status::deferred && deferred.get() == 7);
}
