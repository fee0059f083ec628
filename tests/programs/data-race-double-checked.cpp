// Double-checked creation of a settings object through a plain pointer: the first check is not ordered by anything.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int limit = 8;
};

static std::mutex creation;
static Settings* settings = nullptr;
static std::atomic<int> total{0};

static int limit() {
  if (settings == nullptr) {  // BUG
    std::lock_guard<std::mutex> hold(creation);
    if (settings == nullptr) {
      settings = new Settings;  // BUG
    }
  }
  return settings->limit;
}

int main() {
  std::thread first([] { total.fetch_add(limit()); });
  std::thread second([] { total.fetch_add(limit()); });
  first.join();
  second.join();
  assert(total.load() == 16);
  delete settings;
  return 0;
}
