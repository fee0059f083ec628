// The index of the newest sample is computed and used under one lock.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex guard;
static std::vector<int> samples{10, 20, 30};

static void trim() {
    std::lock_guard<std::mutex> hold(guard);
    samples.resize(1);
}

static int newest() {
    std::lock_guard<std::mutex> hold(guard);
    return samples.at(samples.size() - 1);
}

int main() {
    std::thread trimmer(trim);
    int value = newest();
    trimmer.join();
    return value > 0 ? 0 : 1;
}
