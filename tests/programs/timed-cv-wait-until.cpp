// The result of wait_until with a predicate is ignored: after the deadline a job is taken from an
// empty queue.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex guard;
static std::condition_variable changed;
static std::vector<int> jobs;

static void submit(int job) {
    std::lock_guard<std::mutex> hold(guard);
    jobs.push_back(job);
    changed.notify_all();
}

static int take(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock<std::mutex> hold(guard);
    changed.wait_until(hold, deadline, [] { return !jobs.empty(); });
    assert(!jobs.empty()); // BUG
    int job = jobs.back();
    jobs.pop_back();
    return job;
}

int main() {
    std::thread client(submit, 7);
    int job = take(std::chrono::steady_clock::now() + std::chrono::seconds(1));
    client.join();
    return job == 7 ? 0 : 1;
}
