// The commit is an ordinary member function; its caller handles the version conflict.
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

static std::atomic<int> version{0};
static std::atomic<int> conflicts{0};

class Transaction {
public:
    Transaction() : seen_(version.load()) {}
    void commit() {
        if (!version.compare_exchange_strong(seen_, seen_ + 1))
            throw std::runtime_error("version conflict");
    }

private:
    int seen_;
};

static void update() {
    Transaction transaction;
    try {
        transaction.commit();
    } catch (const std::runtime_error &) {
        conflicts.fetch_add(1);
    }
}

int main() {
    std::thread other(update);
    update();
    other.join();
    assert(version.load() + conflicts.load() == 2);
    return 0;
}
