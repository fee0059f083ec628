// A flag is looked at under a recursive mutex, by a function that takes the mutex once more. Another thread sets it.
#include <mutex>
#include <thread>

static std::recursive_mutex mutex;
static bool ready;

static bool is_ready() {
    std::lock_guard inner(mutex);
    return ready;
}

int main() {
    std::thread waiting([] {
        for (;;) {
            std::lock_guard outer(mutex);
            if (is_ready()) break;
        }
    });
    std::thread other([] {
        std::lock_guard lock(mutex);
        ready = true;
    });
    waiting.join();
    other.join();
}
