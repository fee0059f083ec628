// TBB concurrent_hash_map: two threads count under the same key.
#include <cassert>
#include <tbb/concurrent_hash_map.h>
#include <thread>

using Map = tbb::concurrent_hash_map<int, int>;
static void count(Map& map) {
  Map::accessor entry;
  map.insert(entry, 7);
  ++entry->second;
}
int main() {
  Map map;
  std::thread other([&] { count(map); });
  count(map);
  other.join();
  Map::const_accessor entry;
  assert(map.find(entry, 7) && entry->second == 2);
}
