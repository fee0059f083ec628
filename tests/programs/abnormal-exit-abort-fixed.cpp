// The connection limit is tested and raised in one atomic step, so the check never aborts.
#include <atomic>
#include <cstdlib>
#include <thread>

static constexpr int limit = 1;
static std::atomic<int> open_connections{0};

static void connect() {
    int none = 0;
    if (!open_connections.compare_exchange_strong(none, 1))
        return;
    if (open_connections.load() > limit)
        std::abort();
}

int main() {
    std::thread first(connect);
    std::thread second(connect);
    first.join();
    second.join();
    return 0;
}
