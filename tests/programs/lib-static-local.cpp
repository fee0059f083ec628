// A static local is built once even if two threads come at the same time; the second waits until it is complete.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic<int> built{0};

struct Catalogue {
    Catalogue() : title("catalogue of the whole library") {
        built++; // the other thread may arrive now
        entries = 12;
    }
    std::string title;
    int entries = 0;
};

static Catalogue &catalogue() {
    static Catalogue instance;
    return instance;
}

static void look_up(const Catalogue *&place) {
    Catalogue &c = catalogue();
    assert(c.entries == 12 && c.title.size() == 30);
    place = &c;
}

int main() {
    assert(built == 0);
    const Catalogue *a = nullptr, *b = nullptr;
    std::thread first(look_up, std::ref(a));
    std::thread second(look_up, std::ref(b));
    first.join();
    second.join();
    assert(a == b && a == &catalogue());
    assert(built == 1);
    catalogue().entries = 13;
}
