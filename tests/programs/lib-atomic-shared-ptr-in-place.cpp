// What an std::atomic<std::shared_ptr> points to is changed in place instead of being replaced.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Settings {
    int width;
    int height;
};

static std::atomic<std::shared_ptr<Settings>> current;

int main() {
    current = std::make_shared<Settings>(Settings{4, 3});
    std::thread reload([] {
        const std::shared_ptr<Settings> own = current;
        own->width = 16;
        own->height = 9;
    });
    const std::shared_ptr<Settings> seen = current;
    assert((seen->width == 4 && seen->height == 3) || (seen->width == 16 && seen->height == 9));
    reload.join();
    assert(current.load()->width == 16);
}
