// A cache that moves what is looked up to the front of its list, under a lock for readers only. The list's nodes are
// linked inside the C++ library.
#include <list>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Cache {
 public:
  void put(int key, int value) {
    const std::unique_lock lock(mutex_);
    recent_.emplace_front(key, value);
    places_[key] = recent_.begin();
  }
  bool get(int key, int& value) {
    const std::shared_lock lock(mutex_);
    const auto place = places_.find(key);
    if (place == places_.end()) return false;
    recent_.splice(recent_.begin(), recent_, place->second);  // BUG
    value = place->second->second;
    return true;
  }

 private:
  std::shared_mutex mutex_;
  std::list<std::pair<int, int>> recent_;
  std::map<int, std::list<std::pair<int, int>>::iterator> places_;
};

int main() {
  Cache cache;
  for (int key = 1; key <= 3; ++key) cache.put(key, key);
  const auto look = [&](int key) {
    int value = 0;
    cache.get(key, value);
  };
  std::thread first(look, 1);
  std::thread second(look, 2);
  first.join();
  second.join();
}
