// Main and a thread each drop their reference: whoever is last runs the deleter, once, and sees all writes.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Buffer {
    int by_main = 0, by_thread = 0;
};

static std::atomic<int> deleted{0};

static void destroy(Buffer *buffer) {
    assert(buffer->by_main == 1 && buffer->by_thread == 2);
    delete buffer;
    deleted++;
}

int main() {
    assert(deleted == 0);
    std::shared_ptr<Buffer> buffer(new Buffer, destroy);
    std::thread thread([mine = buffer]() mutable {
        mine->by_thread = 2;
        mine.reset();
    });
    buffer->by_main = 1;
    buffer.reset();
    thread.join();
    assert(deleted == 1);
}
