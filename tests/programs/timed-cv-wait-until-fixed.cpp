// The result of wait_until with a predicate decides whether there is a job to take.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
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

static std::optional<int> take(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock<std::mutex> hold(guard);
    if (!changed.wait_until(hold, deadline, [] { return !jobs.empty(); }))
        return std::nullopt;
    int job = jobs.back();
    jobs.pop_back();
    return job;
}

int main() {
    std::thread client(submit, 7);
    std::optional<int> job = take(std::chrono::steady_clock::now() + std::chrono::seconds(1));
    client.join();
    assert(job.has_value() == jobs.empty());
    return 0;
}
