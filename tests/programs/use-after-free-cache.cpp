// A reader keeps the pointer it looked up in a cache across two critical sections; an eviction in
// between deletes the entry.
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

static Entry *lookup() {
    std::lock_guard<std::mutex> hold(guard);
    return cached;
}

static void touch(Entry *entry) {
    std::lock_guard<std::mutex> hold(guard);
    entry->hits++; // BUG
}

int main() {
    std::thread evictor(evict);
    if (Entry *entry = lookup())
        touch(entry);
    evictor.join();
    return 0;
}
