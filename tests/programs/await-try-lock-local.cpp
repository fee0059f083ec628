// Two threads poll a mutex on main's stack until they get it.
#include <mutex>
#include <thread>

int main() {
    std::mutex mutex;
    int count = 0;
    auto take = [&] {
        std::unique_lock lock(mutex, std::defer_lock);
        while (!lock.try_lock())
            std::this_thread::yield();
        ++count;
    };
    std::thread thread(take);
    take();
    thread.join();
    return count == 2 ? 0 : 1;
}
