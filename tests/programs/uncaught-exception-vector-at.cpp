// The reader computes the index of the newest sample, lets go of the lock, and takes it again to
// read: if the buffer was trimmed in between, std::vector::at throws.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex guard;
static std::vector<int> samples{10, 20, 30};

static void trim() {
    std::lock_guard<std::mutex> hold(guard);
    samples.resize(1);
}

static std::size_t newest_index() {
    std::lock_guard<std::mutex> hold(guard);
    return samples.size() - 1;
}

static int sample(std::size_t index) {
    std::lock_guard<std::mutex> hold(guard);
    return samples.at(index); // BUG
}

int main() {
    std::thread trimmer(trim);
    int value = sample(newest_index());
    trimmer.join();
    return value > 0 ? 0 : 1;
}
