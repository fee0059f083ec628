// What call_once has initialised is there for whoever finds it done.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int value;

static void use() {
    std::call_once(once, [] { value = 9; });
    assert(value == 9);
}

int main() {
    std::thread thread(use);
    use();
    thread.join();
}
