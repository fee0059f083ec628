// Jobs handed over through a one-place mailbox by unique_ptr: the same object arrives and is destroyed once, by the receiver.
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

struct Job {
    explicit Job(int n) : number(n) {}
    ~Job() { destroyed++; }
    int number;
    static inline int destroyed = 0; // by the receiver only
};

class Mailbox {
public:
    void put(std::unique_ptr<Job> job) {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this] { return !slot; });
        slot = std::move(job);
        changed.notify_one();
    }
    std::unique_ptr<Job> take() {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this] { return slot != nullptr; });
        changed.notify_one();
        return std::move(slot);
    }

private:
    std::mutex lock;
    std::condition_variable changed;
    std::unique_ptr<Job> slot;
};

int main() {
    assert(Job::destroyed == 0);
    Mailbox mailbox;
    std::thread sender([&] {
        for (int i = 1; i <= 2; i++) {
            auto job = std::make_unique<Job>(i);
            mailbox.put(std::move(job));
            assert(!job);
        }
    });
    for (int i = 1; i <= 2; i++) {
        auto job = mailbox.take();
        assert(job && job->number == i && Job::destroyed == i - 1);
    }
    sender.join();
    assert(Job::destroyed == 2);
}
