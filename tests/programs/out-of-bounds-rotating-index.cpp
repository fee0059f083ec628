// The rotation of a server list adds one to the index and wraps it in a second step: a client
// that looks in between picks the server behind the end of the list.
#include <atomic>
#include <memory>
#include <thread>

static constexpr int count = 3;
static std::unique_ptr<int[]> ports(new int[count]{8001, 8002, 8003});
static std::atomic<int> current{count - 1};

static void rotate() {
    if (current.fetch_add(1) + 1 == count)
        current.store(0);
}

int main() {
    std::thread balancer(rotate);
    int *list = ports.get();
    int index = current.load();
    int port = list[index]; // BUG
    balancer.join();
    return port > 0 ? 0 : 1;
}
