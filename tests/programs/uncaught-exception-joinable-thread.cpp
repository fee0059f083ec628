// When the logger reports a failure the service goes down without joining it: the destructor of
// a joinable std::thread calls std::terminate.
#include <atomic>
#include <thread>

static std::atomic<bool> failed{false};
static std::atomic<int> records{0};

static void open_log() {
    failed.store(true); // the log file cannot be opened
}

static void run_service() {
    std::thread *logger = new std::thread(open_log);
    records.fetch_add(1);
    if (!failed.load())
        logger->join();
    delete logger; // BUG
}

int main() {
    run_service();
    return 0;
}
