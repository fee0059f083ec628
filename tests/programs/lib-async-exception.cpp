// An exception thrown by an asynchronous call: wait says that it is ready, get throws it in the caller.
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>

int main() {
    std::future<int> broken = std::async(std::launch::async, []() -> int { throw std::domain_error("bad input"); });
    std::string caught;
    try {
        broken.get();
    } catch (const std::domain_error &error) {
        caught = error.what();
    }
    assert(caught == "bad input" && !broken.valid());
}
