// The reader looks the cache entry up and uses it in one critical section.
#include <mutex>
#include <thread>

struct Entry {
    int hits = 0;
};

static std::mutex guard;
static Entry *cached = new Entry;

static void evict() {
    std::lock_guard<std::mutex> hold(guard);
    delete cached;
    cached = nullptr;
}

static void touch() {
    std::lock_guard<std::mutex> hold(guard);
    if (cached)
        cached->hits++;
}

int main() {
    std::thread evictor(evict);
    touch();
    evictor.join();
    return 0;
}
