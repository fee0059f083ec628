// Three mutexes at once, by two threads that begin with different ones. Who backs off begins with another mutex next time, and so comes
// back to where it was by longer ways.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b, c;
static int sum;

int main() {
    std::thread one([] {
        std::scoped_lock locked(a, b, c);
        ++sum;
    });
    std::thread other([] {
        std::scoped_lock locked(b, c, a);
        ++sum;
    });
    one.join();
    other.join();
    assert(sum == 2);
}
