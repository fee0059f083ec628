// A thread fills its thread-local buffer with memset under a lock; another thread reads it under that lock
// while the buffer is published.
#include <cassert>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <thread>

static thread_local char scratch[64];
static volatile std::size_t size = sizeof scratch; // known at run time only: memset stays a call
static std::mutex guard;
static char *shared;

static void fill() {
    {
        std::lock_guard<std::mutex> hold(guard);
        shared = scratch;
        std::memset(scratch, 1, size);
    }
    std::lock_guard<std::mutex> hold(guard);
    shared = nullptr;
}

static void peek() {
    std::lock_guard<std::mutex> hold(guard);
    assert(!shared || shared[3] == 1);
}

int main() {
    std::thread writer(fill);
    std::thread reader(peek);
    writer.join();
    reader.join();
    return 0;
}
