// std::barrier: the completion runs once for each phase, when the last of the two has arrived, whoever that is.
#include <barrier>
#include <cassert>
#include <thread>

static int halves[2], whole, completions;

static void complete() noexcept {
    whole = halves[0] + halves[1];
    completions++;
}

int main() {
    assert(completions == 0 && whole == 0);
    std::barrier barrier(2, complete);
    halves[0] = 12;
    auto arrival = barrier.arrive();
    assert(completions == 0);
    std::thread([&] {
        halves[1] = 30;
        barrier.arrive_and_wait(); // the last one
        assert(whole == 42);
    }).join();
    barrier.wait(std::move(arrival));
    assert(completions == 1);

    std::thread([&] {
        halves[1] = 31;
        (void)barrier.arrive(); // the first one, and it does not wait
    }).join();
    assert(completions == 1);
    barrier.arrive_and_wait();
    assert(completions == 2 && whole == 43);
}
