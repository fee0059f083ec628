// A lock_guard adopts a mutex that nobody has locked.
#include <mutex>

static std::mutex lock;

int main() {
    { std::lock_guard<std::mutex> guard(lock, std::adopt_lock); }  // BUG
}
