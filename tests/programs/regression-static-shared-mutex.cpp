// A registry fills itself under its shared mutex in a static constructor, before main; threads lock the same
// mutex later on.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex registry_guard;
static int registered;

struct Registration {
    Registration() {
        std::unique_lock<std::shared_mutex> hold(registry_guard);
        registered++;
    }
};

static Registration built_in;

int main() {
    std::thread plugin([] { Registration loaded; });
    plugin.join();
    std::shared_lock<std::shared_mutex> hold(registry_guard);
    assert(registered == 2);
    return 0;
}
