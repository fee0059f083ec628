// A worker's failure travels to main as an exception_ptr, with the nested cause inside.
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::mutex lock;
static std::exception_ptr failure;
static int failures;

static void load(int n) {
    try {
        try {
            if (n == 1)
                throw std::out_of_range("row 17");
            throw std::length_error("row 18");
        } catch (const std::logic_error &) {
            std::throw_with_nested(std::runtime_error("table " + std::to_string(n)));
        }
    } catch (...) {
        std::lock_guard<std::mutex> guard(lock);
        failures++;
        if (!failure)
            failure = std::current_exception();
    }
}

static std::string describe(std::exception_ptr error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception &outer) {
        try {
            std::rethrow_if_nested(outer);
        } catch (const std::exception &inner) {
            return std::string(outer.what()) + ": " + inner.what();
        }
        return outer.what();
    }
}

int main() {
    assert(!failure && failures == 0);
    std::thread first(load, 1);
    std::thread second(load, 2);
    first.join();
    second.join();
    assert(failures == 2 && failure);
    std::string text = describe(failure);
    assert(text == "table 1: row 17" || text == "table 2: row 18");
    assert(describe(failure) == text); // it can be thrown again
    assert(describe(std::make_exception_ptr(std::runtime_error("plain"))) == "plain");
}
