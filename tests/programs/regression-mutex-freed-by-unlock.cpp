// A worker announces its job as finished before it unlocks the mutex inside the job: the collector may
// delete the job, and the mutex with it, while the worker unlocks.
#include <atomic>
#include <mutex>
#include <thread>

struct Job {
    std::mutex guard;
    int result = 0;
};

static std::atomic<bool> finished{false};

static void work(Job *job) {
    job->guard.lock();
    job->result = 42;
    finished.store(true);
    job->guard.unlock(); // BUG
}

static void collect(Job *job, bool &collected) {
    if (finished.load()) {
        delete job; // BUG
        collected = true;
    }
}

int main() {
    Job *job = new Job;
    bool collected = false;
    std::thread worker(work, job);
    std::thread collector([&] { collect(job, collected); });
    worker.join();
    collector.join();
    if (!collected)
        delete job;
    return 0;
}
