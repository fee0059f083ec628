// std::latch: main goes on only when the worker has counted down, and sees its work.
#include <cassert>
#include <latch>
#include <thread>

static int result;

int main() {
    assert(result == 0);
    std::latch done(1);
    assert(!done.try_wait());
    std::thread worker([&] {
        result = 25;
        done.count_down();
    });
    done.wait();
    assert(result == 25 && done.try_wait());
    worker.join();
    std::latch open(2);
    open.count_down(2);
    open.wait();
}
