// std::call_once from two threads: the function, with its arguments, runs once and is complete for both.
#include <atomic>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::once_flag flag;
static std::atomic<int> runs{0};
static std::string greeting;

static void prepare(const std::string &text, int times) {
    for (int i = 0; i < times; i++)
        greeting += text;
    runs++;
}

static void user() {
    std::call_once(flag, prepare, "hello ", 3);
    assert(greeting == "hello hello hello ");
}

int main() {
    assert(runs == 0 && greeting.empty());
    std::thread first(user);
    std::thread second(user);
    first.join();
    second.join();
    user();
    assert(runs == 1);
    greeting = "changed";
}
