// A transaction commits in its destructor, which is implicitly noexcept: the exception for a
// version conflict with another transaction ends in std::terminate.
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> version{0};

class Transaction {
public:
    Transaction() : seen_(version.load()) {}
    ~Transaction() { commit(); } // BUG (clang unwinds up to here before it gives up)

private:
    void commit() {
        if (!version.compare_exchange_strong(seen_, seen_ + 1))
            throw std::runtime_error("version conflict"); // BUG
    }
    int seen_;
};

static void update() {
    Transaction transaction;
}

int main() {
    std::thread other(update);
    update();
    other.join();
    return 0;
}
