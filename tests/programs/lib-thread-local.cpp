// thread_local objects: built at first use in each thread, destroyed in reverse order at its end, before join returns.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static int alive;

struct Named {
    explicit Named(const char *n) : name(n) {
        std::lock_guard<std::mutex> guard(lock);
        alive++;
    }
    ~Named();
    std::string name;
};

static thread_local std::string *trace = nullptr;
static thread_local int uses = 10;

Named::~Named() {
    if (trace)
        *trace += name[0];
    std::lock_guard<std::mutex> guard(lock); // a lock taken while the thread is ending
    alive--;
}

static Named &buffer() {
    static thread_local Named object("buffer");
    return object;
}
static Named &stream() {
    static thread_local Named object("stream, built after the buffer");
    return object;
}

static void work(std::string &record, bool both) {
    assert(trace == nullptr && uses == 10);
    trace = &record;
    buffer().name += " in use";
    uses++;
    if (both)
        stream();
    assert(buffer().name == "buffer in use" && uses == 11);
}

int main() {
    assert(alive == 0 && uses == 10);
    buffer().name = "main";
    std::string a, b;
    std::thread first(work, std::ref(a), true);
    std::thread second(work, std::ref(b), false);
    first.join();
    assert(a == "sb");
    second.join();
    assert(b == "b");
    assert(alive == 1 && buffer().name == "main" && uses == 10);
}
