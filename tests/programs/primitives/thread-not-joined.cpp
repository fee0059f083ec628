// A std::thread is destroyed before it was joined.
#include <atomic>
#include <thread>

static std::atomic<int> hits;

int main() {
    std::thread thread([] { ++hits; });
}  // BUG
