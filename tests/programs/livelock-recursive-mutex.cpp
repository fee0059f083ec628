// A flag is looked at under a recursive mutex, by a function that takes the mutex once more. Nobody sets the flag.
#include <mutex>
#include <thread>

static std::recursive_mutex mutex;
static bool ready;
static int looks;

static bool is_ready() {
    std::lock_guard inner(mutex);
    return ready;
}

int main() {
    std::thread waiting([] {
        for (;;) {
            std::lock_guard outer(mutex); // BUG
            if (is_ready()) break;
        }
    });
    std::thread other([] {
        std::lock_guard lock(mutex);
        ++looks;
    });
    waiting.join();
    other.join();
}
