// A snapshot published through std::atomic<std::shared_ptr>: readers keep what they loaded while it is replaced.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Settings {
    int width;
    int height;
};

static std::atomic<std::shared_ptr<const Settings>> current;

int main() {
    current = std::make_shared<const Settings>(Settings{4, 3});
    std::thread reload([] { current = std::make_shared<const Settings>(Settings{16, 9}); });
    const std::shared_ptr<const Settings> seen = current;
    assert((seen->width == 4 && seen->height == 3) || (seen->width == 16 && seen->height == 9));
    reload.join();
    assert(current.load()->width == 16);
}
