// main leaves by pthread_exit: static objects are destroyed when the last thread has ended, with its work in them.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::atomic<int> destroyed{0};

struct Last {
    ~Last() { assert(destroyed == 1); }
} last;

struct Results {
    ~Results() {
        std::lock_guard<std::mutex> guard(lock);
        assert(values.size() == 2 && values[0] + values[1] == 3);
        ++destroyed;
    }
    void add(int value) {
        std::lock_guard<std::mutex> guard(lock);
        values.push_back(value);
    }
    std::mutex lock;
    std::vector<int> values;
} results;

}  // namespace

int main() {
    std::thread([] { results.add(1); }).detach();
    std::thread([] { results.add(2); }).detach();
    pthread_exit(nullptr);
}
