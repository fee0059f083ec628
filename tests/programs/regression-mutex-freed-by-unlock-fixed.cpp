// A worker unlocks the mutex inside its job before it announces the job as finished: whoever deletes the
// job then comes after the last access to it.
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
    job->guard.unlock();
    finished.store(true);
}

static void collect(Job *job, bool &collected) {
    if (finished.load()) {
        delete job;
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
