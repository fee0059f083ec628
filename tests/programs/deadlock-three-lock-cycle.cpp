// Three shards in a ring, each balanced against its right neighbour: own lock first closes a cycle of three.
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
  std::lock_guard<std::mutex> source(shards[own].lock);
  std::lock_guard<std::mutex> target(shards[next].lock);  // BUG
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
