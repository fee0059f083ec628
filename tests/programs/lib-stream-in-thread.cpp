// The first string stream of the program is made in a thread: the library sets up its locale there, once.
#include <atomic>
#include <cassert>
#include <sstream>
#include <string>
#include <thread>

static std::atomic<int> made{0};

static std::string label(int number) {
    std::ostringstream out;
    out << "item " << number << ", " << 0.5;
    return out.str();
}

int main() {
    assert(made == 0);
    std::string text;
    std::thread thread([&] {
        text = label(7);
        made++;
    });
    made++;
    thread.join();
    assert(text == "item 7, 0.5" && label(8) == "item 8, 0.5");
    assert(made == 2);
}
