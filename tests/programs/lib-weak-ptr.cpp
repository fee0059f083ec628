// A cache keeps weak pointers: locking one gives the living object or nothing, never a dying one.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> alive{0};

struct Image {
    Image() { alive++; }
    ~Image() {
        width = -1;
        alive--;
    }
    int width = 640;
};

int main() {
    assert(alive == 0);
    auto image = std::make_shared<Image>();
    std::weak_ptr<Image> cached = image;
    std::thread reader([&] {
        if (std::shared_ptr<Image> found = cached.lock())
            assert(found->width == 640 && !cached.expired());
    });
    image.reset();
    reader.join();
    assert(cached.expired() && cached.lock() == nullptr && cached.use_count() == 0);
    assert(alive == 0);
    image = std::make_shared<Image>();
    assert(cached.expired() && alive == 1);
}
