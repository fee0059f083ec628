// The service joins its logger whether it reported a failure or not.
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
    if (failed.load())
        records.store(0);
    logger->join();
    delete logger;
}

int main() {
    run_service();
    return 0;
}
