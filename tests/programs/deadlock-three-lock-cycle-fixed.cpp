// Three shards in a ring, each balanced against its right neighbour: the lower index is always locked first.
#include <cassert>
#include <mutex>
#include <thread>

struct Shard {
  std::mutex lock;
  int keys = 3;
};

static Shard shards[3];

static void move_key_right(int own) {
  int next = (own + 1) % 3;
  std::lock_guard<std::mutex> lower(shards[own < next ? own : next].lock);
  std::lock_guard<std::mutex> upper(shards[own < next ? next : own].lock);
  shards[own].keys--;
  shards[next].keys++;
}

int main() {
  std::thread a(move_key_right, 0);
  std::thread b(move_key_right, 1);
  std::thread c(move_key_right, 2);
  a.join();
  b.join();
  c.join();
  for (const Shard& shard : shards) assert(shard.keys == 3);
  return 0;
}
