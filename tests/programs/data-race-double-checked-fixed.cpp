// Double-checked creation of a settings object through an atomic pointer with acquire and release.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int limit = 8;
};

static std::mutex creation;
static std::atomic<Settings*> settings{nullptr};
static std::atomic<int> total{0};

static int limit() {
  Settings* found = settings.load(std::memory_order_acquire);
  if (found == nullptr) {
    std::lock_guard<std::mutex> hold(creation);
    found = settings.load(std::memory_order_relaxed);
    if (found == nullptr) {
      found = new Settings;
      settings.store(found, std::memory_order_release);
    }
  }
  return found->limit;
}

int main() {
  std::thread first([] { total.fetch_add(limit()); });
  std::thread second([] { total.fetch_add(limit()); });
  first.join();
  second.join();
  assert(total.load() == 16);
  delete settings.load();
  return 0;
}
