// A thread publishes the address of its thread-local buffer and then fills it with memset, while another
// thread reads it.
#include <atomic>
#include <cstddef>
#include <cstring>
#include <thread>

static thread_local char scratch[64];
static volatile std::size_t size = sizeof scratch; // known at run time only: memset stays a call
static std::atomic<char *> shared{nullptr};

static void fill() {
    shared.store(scratch);
    std::memset(scratch, 1, size); // BUG
    shared.store(nullptr);
}

static void peek(char &seen) {
    if (char *bytes = shared.load())
        seen = bytes[3]; // BUG
}

int main() {
    char seen = 0;
    std::thread earlier([] { scratch[0] = 1; });
    std::thread writer(fill);
    std::thread reader([&] { peek(seen); });
    earlier.join();
    writer.join();
    reader.join();
    return 0;
}
