// Two threads share a standard semaphore with one permit. libstdc++ 12 reads the count that it will sleep on before it looks for a
// permit (__atomic_wait_address_bare in bits/atomic_wait.h): if the permit is taken and given back in between, the thread falls asleep
// although there is one, and nobody wakes it.
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<> permit{1};
static int turns;

static void take_turn() {
    permit.acquire();  // BUG
    ++turns;
    permit.release();
}

int main() {
    std::thread first(take_turn), second(take_turn);
    first.join();
    second.join();
    assert(turns == 2);
}
