// A unique_lock that does not own its mutex is unlocked.
#include <mutex>

static std::mutex lock;

int main() {
    std::unique_lock<std::mutex> held(lock, std::defer_lock);
    held.unlock();  // BUG
}
