// The rounding mode belongs to the thread: a new thread inherits it, a change stays in the thread that made it.
#include <atomic>
#include <cassert>
#include <cfenv>
#include <thread>

static std::atomic<int> steps{0};

static double third() {
    volatile double one = 1, three = 3;
    return one / three;
}

int main() {
    assert(std::fegetround() == FE_TONEAREST && steps == 0);
    const double nearest = third();
    double up = 0, inherited = 0;
    std::thread first([&] {
        assert(std::fegetround() == FE_TONEAREST);
        std::fesetround(FE_UPWARD);
        steps++;
        up = third();
        assert(std::fegetround() == FE_UPWARD);
    });
    std::fesetround(FE_DOWNWARD);
    std::thread second([&] {
        assert(std::fegetround() == FE_DOWNWARD);
        steps++;
        inherited = third();
    });
    steps++;
    assert(std::fegetround() == FE_DOWNWARD);
    const double down = third();
    first.join();
    second.join();
    assert(up > nearest && down <= nearest && down < up && inherited == down);
    assert(std::fegetround() == FE_DOWNWARD); // and left so: the next run starts with the default again
}
