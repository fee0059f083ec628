// A std::atomic<std::shared_ptr> on main's stack: what the library's lock loops over is what the runtime leaves alone.
#include <atomic>
#include <memory>
#include <thread>

int main() {
    std::atomic<std::shared_ptr<int>> current(std::make_shared<int>(1));
    std::thread thread([&] { current.store(std::make_shared<int>(2)); });
    std::shared_ptr<int> seen = current.load();
    thread.join();
    return *seen == 1 || *seen == 2 ? 0 : 1;
}
