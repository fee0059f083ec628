// The worker releases the spin lock on every path, with a lock guard.
#include <atomic>
#include <mutex>
#include <thread>

class SpinLock {
public:
    void lock() {
        while (taken_.exchange(true))
            std::this_thread::yield();
    }
    void unlock() { taken_.store(false); }

private:
    std::atomic<bool> taken_{false};
};

static SpinLock guard;
static std::atomic<bool> closing{false};
static int written;

static void write_record() {
    std::lock_guard<SpinLock> hold(guard);
    if (closing.load())
        return;
    written++;
}

int main() {
    std::thread writer(write_record);
    closing.store(true);
    writer.join();
    guard.lock();
    int records = written;
    guard.unlock();
    return records <= 1 ? 0 : 1;
}
