// The latch waits for one arrival more than there is.
#include <latch>
#include <thread>

static std::latch done{3};

int main() {
    std::thread first([] { done.count_down(); });
    std::thread second([] { done.count_down(); });
    done.wait();  // BUG
    first.join();
    second.join();
}
