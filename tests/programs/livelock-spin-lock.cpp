// The error path of a worker returns with the spin lock held; main, the only thread left, spins
// on the lock for ever.
#include <atomic>
#include <thread>

class SpinLock {
public:
    void lock() {
        while (taken_.exchange(true)) // BUG
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
    guard.lock();
    if (closing.load())
        return;
    written++;
    guard.unlock();
}

int main() {
    std::thread writer(write_record);
    closing.store(true);
    writer.join();
    guard.lock(); // BUG
    int records = written;
    guard.unlock();
    return records <= 1 ? 0 : 1;
}
