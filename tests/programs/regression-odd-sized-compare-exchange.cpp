// Compare-exchanges of three bytes, for which there is no instruction: the second expects what the first leaves behind, so
// whether it succeeds depends on their order.
#include <atomic>
#include <cassert>
#include <thread>

struct Colour {
    unsigned char red, green, blue;
};

static std::atomic<Colour> colour{Colour{0, 0, 0}};

static bool repaint(Colour from, Colour to) { return colour.compare_exchange_strong(from, to); }

int main() {
    bool first = false, second = false;
    std::thread painter([&] { first = repaint({0, 0, 0}, {1, 2, 3}); });
    std::thread other([&] { second = repaint({1, 2, 3}, {4, 5, 6}); });
    painter.join();
    other.join();
    assert(first);
    const Colour now = colour.load();
    assert(now.red == (second ? 4 : 1));
    return 0;
}
