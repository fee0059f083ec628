// A worker fails and hands its exception over through a promise; main catches it with its message intact.
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

static const char *const reason = "the configuration file is not readable";

static void load(std::promise<int> settings) {
    try {
        throw std::runtime_error(reason);
    } catch (...) {
        settings.set_exception(std::current_exception());
    }
}

int main() {
    std::promise<int> promise;
    std::future<int> settings = promise.get_future();
    std::thread loader(load, std::move(promise));
    bool failed = false;
    try {
        settings.get();
    } catch (const std::exception &error) {
        failed = error.what() == std::string(reason);
    }
    loader.join();
    assert(failed);
    return 0;
}
