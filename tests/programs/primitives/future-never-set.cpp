// The promise is kept alive and never kept.
#include <future>
#include <thread>

static std::promise<int> promise;

int main() {
    std::thread thread([] { promise.get_future().wait(); });  // BUG
    thread.join();
}
