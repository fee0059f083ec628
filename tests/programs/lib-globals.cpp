// Globals with constructors, static locals and a heap singleton: as built when main begins, changed when it ends.
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static int constructed;

struct Registry {
    Registry() { constructed++; }
    std::map<std::string, int> ports{{"http", 80}};
    std::mutex lock;
};

static std::vector<int> history = {1, 2, 3};
static std::string banner = "a banner long enough to live on the heap";
static std::unique_ptr<Registry> registry = std::make_unique<Registry>();
static Registry *late;

static int next_ticket() {
    static int ticket = 100;
    return ticket++;
}

static void add(const char *name, int port) {
    std::lock_guard<std::mutex> guard(registry->lock);
    registry->ports[name] = port;
    history.push_back(port);
    banner += name;
    next_ticket();
}

int main() {
    assert(constructed == 1 && late == nullptr);
    assert(history == std::vector<int>({1, 2, 3}));
    assert(banner == "a banner long enough to live on the heap");
    assert(registry->ports.size() == 1 && registry->ports.at("http") == 80);
    assert(next_ticket() == 100);
    late = new Registry; // still reachable when the program ends
    assert(constructed == 2);

    std::thread first(add, "ssh", 22);
    std::thread second(add, "smtp", 25);
    first.join();
    second.join();
    assert(registry->ports.size() == 3 && registry->ports.at("ssh") == 22);
    assert(history.size() == 5 && history[3] + history[4] == 47);
    assert(next_ticket() == 103);
    banner.clear();
    history.clear();
    registry.reset();
}
