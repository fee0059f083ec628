// Short-lived objects on the same heap and stack places: a new once_flag is unused and a new mutex free, every time.
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Resource {
    std::once_flag opened;
    std::mutex lock;
    int uses = 0;
};

static std::atomic<int> openings{0};

static void use(Resource &resource) {
    std::call_once(resource.opened, [] { openings++; });
    std::lock_guard<std::mutex> guard(resource.lock);
    resource.uses++;
}

static int generation() {
    auto resource = std::make_unique<Resource>(); // the allocator gives the same block again
    Resource on_stack;
    use(on_stack);
    std::thread other(use, std::ref(*resource));
    use(*resource);
    other.join();
    return resource->uses + on_stack.uses;
}

int main() {
    assert(openings == 0);
    for (int i = 1; i <= 2; i++) {
        assert(generation() == 3);
        assert(openings == 2 * i);
    }
}
