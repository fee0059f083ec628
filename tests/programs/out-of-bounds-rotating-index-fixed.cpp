// The rotation of a server list counts on without bound; the index is wrapped where it is used.
#include <atomic>
#include <memory>
#include <thread>

static constexpr unsigned count = 3;
static std::unique_ptr<int[]> ports(new int[count]{8001, 8002, 8003});
static std::atomic<unsigned> turns{count - 1};

static void rotate() {
    turns.fetch_add(1);
}

int main() {
    std::thread balancer(rotate);
    int *list = ports.get();
    unsigned index = turns.load() % count;
    int port = list[index];
    balancer.join();
    return port > 0 ? 0 : 1;
}
