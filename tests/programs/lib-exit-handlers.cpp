// The end of the program: main's thread_local object, then exit handlers and static objects in reverse order, all using a mutex.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static char trace[8];
static int length;

static void note(char c) {
    std::lock_guard<std::mutex> guard(lock);
    trace[length++] = c;
}

struct First {
    ~First() {
        note('f');
        assert(std::string(trace) == "wwtlahf");
    }
};
struct Noted {
    explicit Noted(char c) : mark(c) {}
    ~Noted() { note(mark); }
    char mark;
};

static First first; // built first, destroyed last

static void handler() {
    note('h');
    assert(std::string(trace) == "wwtlah");
}

int main() {
    assert(length == 0 && trace[0] == 0);
    assert(std::atexit(handler) == 0);
    assert(std::atexit([] { note('a'); }) == 0);
    static Noted local('l');
    static thread_local Noted own('t');
    (void)&own;
    std::thread one(note, 'w');
    std::thread two(note, 'w');
    one.join();
    two.join();
    assert(length == 2);
}
