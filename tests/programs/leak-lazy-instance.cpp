// Two threads create the configuration on first use; the one that loses the race for publishing
// its object forgets it.
#include <atomic>
#include <thread>

struct Config {
    int level = 3;
};

static std::atomic<Config *> instance{nullptr};

static int level() {
    Config *config = instance.load();
    if (!config) {
        Config *fresh = new Config;
        if (instance.compare_exchange_strong(config, fresh))
            config = fresh;
    }
    return config->level;
}

int main() {
    std::thread first(level);
    std::thread second(level);
    first.join();
    second.join();
    delete instance.exchange(nullptr);
    return 0;
}
