// A connection limit is tested and raised in two steps; the consistency check of the pool calls
// abort() once both clients got past the test.
#include <atomic>
#include <cstdlib>
#include <thread>

static constexpr int limit = 1;
static std::atomic<int> open_connections{0};

static void connect() {
    if (open_connections.load() >= limit)
        return;
    if (open_connections.fetch_add(1) >= limit)
        std::abort(); // BUG
}

int main() {
    std::thread first(connect);
    std::thread second(connect);
    first.join();
    second.join();
    return 0;
}
