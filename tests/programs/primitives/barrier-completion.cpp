// The completion function runs once a phase, before anybody leaves; one party drops out after the first phase.
#include <barrier>
#include <cassert>
#include <thread>

static int phases;

struct Count {
    void operator()() noexcept { ++phases; }
};

static std::barrier<Count> barrier{2};

int main() {
    std::thread thread([] { barrier.arrive_and_drop(); });
    barrier.arrive_and_wait();
    assert(phases == 1);
    barrier.arrive_and_wait();
    assert(phases == 2);
    thread.join();
}
