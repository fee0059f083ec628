// A spin lock by test-and-set: an exchange on a lock that is taken writes what is there already, and the loop waits.
#include <atomic>
#include <thread>

static std::atomic<bool> taken;
static int counter;

static void enter() {
    while (taken.exchange(true)) {
        std::this_thread::yield();
    }
    counter++;
    taken.store(false);
}

int main() {
    std::thread first(enter), second(enter), third(enter);
    first.join();
    second.join();
    third.join();
    return counter == 3 ? 0 : 1;
}
