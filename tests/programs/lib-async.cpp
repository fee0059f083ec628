// std::async: a value comes back from a thread, a value and an exception from deferred calls run by get.
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

static int calls;

static std::string repeat(const std::string &text, int times) {
    std::string result;
    while (times-- > 0)
        result += text;
    return result;
}

int main() {
    assert(calls == 0);
    std::future<std::string> value = std::async(std::launch::async, repeat, "ab", 3);
    assert(value.get() == "ababab");
    assert(!value.valid());

    std::thread::id runner;
    std::future<int> lazy = std::async(std::launch::deferred, [&] {
        runner = std::this_thread::get_id();
        return ++calls;
    });
    assert(lazy.wait_for(std::chrono::seconds(0)) == std::future_status::deferred && calls == 0);
    assert(lazy.get() == 1 && runner == std::this_thread::get_id());

    std::future<void> broken = std::async(std::launch::deferred, [] { throw std::domain_error("bad input"); });
    bool thrown = false;
    try {
        broken.get();
    } catch (const std::domain_error &error) {
        thrown = std::string(error.what()) == "bad input";
    }
    assert(thrown);
}
