// Exceptions in two threads at once, nested and rethrown: every thread has its own handlers and its own count in flight.
#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

static std::atomic<int> steps{0};

struct Unwinding {
    ~Unwinding() {
        assert(std::uncaught_exceptions() == 1);
        steps++; // the other thread may run in the middle of the unwinding
        assert(std::uncaught_exceptions() == 1);
    }
};

static void fail(const std::string &name) {
    Unwinding guard;
    throw std::runtime_error(name + " failed");
}

static void work(const std::string &name) {
    try {
        try {
            fail(name);
        } catch (const std::exception &error) {
            assert(std::uncaught_exceptions() == 0);
            steps++; // ... or in the middle of the handler
            try {
                throw static_cast<int>(name.size());
            } catch (int inner) {
                assert(inner == static_cast<int>(name.size()));
            }
            assert(error.what() == name + " failed");
            throw; // the outer one again
        }
    } catch (const std::runtime_error &error) {
        assert(error.what() == name + " failed");
        assert(std::current_exception() != nullptr);
    }
    assert(std::current_exception() == nullptr && std::uncaught_exceptions() == 0);
}

int main() {
    assert(steps == 0);
    std::thread first(work, "reader");
    std::thread second(work, "the other writer");
    assert(std::uncaught_exceptions() == 0);
    first.join();
    second.join();
    assert(steps == 4);
}
