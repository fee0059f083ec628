// A bounded queue with room for one: two items pass from the producer to the consumer in order, a deadline ends the wait.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable not_full, not_empty;
static std::deque<int> queue;

static void produce() {
    for (int i = 1; i <= 2; i++) {
        std::unique_lock<std::mutex> guard(lock);
        not_full.wait(guard, [] { return queue.empty(); });
        queue.push_back(i * 10);
        not_empty.notify_one();
    }
}

static int consume() {
    std::unique_lock<std::mutex> guard(lock);
    not_empty.wait(guard, [] { return !queue.empty(); });
    int item = queue.front();
    queue.pop_front();
    not_full.notify_one();
    return item;
}

int main() {
    assert(queue.empty());
    std::thread producer(produce);
    assert(consume() == 10);
    assert(consume() == 20);
    producer.join();
    std::unique_lock<std::mutex> guard(lock);
    auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    assert(not_empty.wait_until(guard, deadline) == std::cv_status::timeout);
    assert(std::chrono::steady_clock::now() >= deadline);
    assert(!not_empty.wait_for(guard, std::chrono::milliseconds(1), [] { return !queue.empty(); }));
    assert(guard.owns_lock());
    queue.push_back(0);
}
