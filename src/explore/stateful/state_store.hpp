// The states that a search has met, each stored once and numbered in the order of arrival.
//
// A state is a list of parts (program.hpp), and a step changes few of them. So parts are stored once each, and a list
// of parts as a tree of pairs, each pair stored once: a new state shares all but the path to what has changed with the
// states before it. Lists of the same length have trees of the same shape; what the parts are (kinds and names) is one
// part of its own, the `shape`, and a state is the pair of shape and tree. Looking a state up compares bytes and pairs
// themselves, never hashes alone.
//
// With `hash_only`, a state is 128 bits of hash instead: two states with the same hash would be taken for one. For n
// states and a hash that behaves as a random function, the probability that this ever happens is below n^2 / 2^129.
//
// Everything is in memory that forked processes share, under a lock. What a process has looked up before it finds
// without the lock: parts and pairs never change once they are there. So the lock is taken where a state begins to be
// something that this process has not seen of late, and at the latest where states themselves are looked up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "explore/stateful/growing_array.hpp"
#include "explore/stateful/shared_lock.hpp"
#include "program/program.hpp"

namespace heddle {

struct StateHash {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend constexpr bool operator==(StateHash, StateHash) = default;
};

// Of the whole state: names, lengths and bytes of its parts.
[[nodiscard]] StateHash hash_of(std::span<const StatePart> parts);
// The same in full, for comparing: equal iff the states are.
[[nodiscard]] std::vector<std::byte> bytes_of(std::span<const StatePart> parts);

using StateNumber = std::uint32_t;
inline constexpr StateNumber kNoState = ~StateNumber{0};

// How a state was first reached: from its parent by `steps` steps of one thread, of which the last had that outcome.
struct Arrival {
  StateNumber parent = kNoState;
  std::uint16_t thread = 0;
  std::uint16_t outcome = 0;
  std::uint32_t steps = 0;
};

// Buckets of chained entries. Doubling splits each bucket in place, so that forked processes see the same table.
class ChainedIndex {
 public:
  ChainedIndex(const Processes& processes, std::uint64_t most_bytes);
  // The first entry of the chain that a hash belongs to, plus one; 0 at its end.
  [[nodiscard]] std::uint32_t first(std::uint64_t hash) const { return buckets_[hash & (buckets_.size() - 1)]; }
  // Puts an entry in front of its chain: what follows it there.
  [[nodiscard]] std::uint32_t add(std::uint64_t hash, std::uint32_t entry_plus_one);
  [[nodiscard]] std::uint64_t bytes() const { return buckets_.bytes(); }
  void archive(Archive& archive) { buckets_.archive(archive); }

  // Before an entry is added: doubles if there are as many entries as buckets. `hash_of(entry)` and `next(entry)`
  // give an entry's hash and the link behind it.
  template <typename HashOf, typename Next>
  void make_room(std::uint64_t entries, HashOf hash_of, Next next) {
    const std::uint64_t count = buckets_.size();
    if (entries < count || !buckets_.has_room(count)) return;
    buckets_.grow(count);
    for (std::uint64_t b = 0; b < count; ++b) {
      std::uint32_t chain = buckets_[b];
      buckets_[b] = 0;
      while (chain != 0) {
        const std::uint32_t entry = chain;
        std::uint32_t& link = next(entry - 1);
        chain = link;
        link = add(hash_of(entry - 1), entry);
      }
    }
  }

 private:
  GrowingArray<std::uint32_t> buckets_;
};

class StateStore {
 public:
  struct Options {
    bool hash_only = false;
    std::uint64_t max_memory = std::uint64_t{1} << 32U;  // bytes
  };
  StateStore(const Processes& processes, Options options);

  struct Found {
    StateNumber number = kNoState;  // kNoState: no room left
    bool is_new = false;
  };
  // Looks a state up and stores it if it is not there.
  Found insert(std::span<const StatePart> parts, const Arrival& arrival);

  [[nodiscard]] std::uint64_t size() const { return arrivals_.size(); }
  [[nodiscard]] const Arrival& arrival(StateNumber state) const { return arrivals_[state]; }
  // Memory in use, without what is only reserved.
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] bool hash_only() const { return options_.hash_only; }
  // Read back by a store without states.
  void archive(Archive& archive);

 private:
  struct Part {
    std::uint64_t offset;
    std::uint64_t hash;
    std::uint32_t length;
    std::uint32_t next;
  };
  struct Pair {
    std::uint32_t left;
    std::uint32_t right;
    std::uint32_t next;
  };
  struct Hashed {
    StateHash hash;
    std::uint32_t next;
  };

  // The lock, from when it is first needed on.
  class Lock {
   public:
    explicit Lock(StateStore& store) : store_(store) {}
    void take() {
      if (!holding_) holding_.emplace(store_.lock_[0], store_.processes_);
    }

   private:
    StateStore& store_;
    std::optional<Holding> holding_;
  };
  // A part or a pair that this process has looked up.
  struct Recent {
    std::uint64_t hash = 0;
    std::uint32_t number_plus_one = 0;
  };
  static constexpr std::size_t kRecent = std::size_t{1} << 15U;

  [[nodiscard]] bool full(std::uint64_t needed) const;
  [[nodiscard]] bool is_part(std::uint32_t number, std::uint64_t hash, std::span<const std::byte> bytes) const;
  std::uint32_t part(std::span<const std::byte> bytes, Lock& lock);
  std::uint32_t part_of(const StatePart& part, Lock& lock);
  std::uint32_t shape(std::span<const StatePart> parts, Lock& lock);
  std::uint32_t tree(std::size_t count, Lock& lock);
  std::uint32_t known_pair(std::uint32_t left, std::uint32_t right, Lock& lock);
  std::uint32_t pair(GrowingArray<Pair>& pairs, ChainedIndex& index, std::uint32_t left, std::uint32_t right,
                     bool* is_new);
  Found insert_exact(std::span<const StatePart> parts, Lock& lock);
  Found insert_hash(std::span<const StatePart> parts, Lock& lock);

  Options options_;
  const Processes& processes_;
  GrowingArray<std::uint32_t> lock_;
  GrowingArray<std::byte> bytes_;
  GrowingArray<Part> parts_;
  ChainedIndex part_index_;
  GrowingArray<Pair> pairs_;
  ChainedIndex pair_index_;
  GrowingArray<Pair> states_;
  ChainedIndex state_index_;
  GrowingArray<Hashed> hashes_;
  GrowingArray<Arrival> arrivals_;
  // Parts with versions that this process has looked at, by kind, name and version.
  struct VersionKey {
    std::uint64_t name;
    std::uint64_t version;
    friend constexpr bool operator==(VersionKey, VersionKey) = default;
  };
  struct VersionHash {
    std::size_t operator()(const VersionKey& key) const noexcept;
  };
  std::unordered_map<VersionKey, std::uint32_t, VersionHash> versions_;
  std::vector<Recent> recent_parts_ = std::vector<Recent>(kRecent);  // by hash
  std::vector<Recent> recent_pairs_ = std::vector<Recent>(kRecent);
  std::vector<std::uint32_t> level_;  // of the tree being built
  std::vector<std::byte> shape_bytes_;
};

}  // namespace heddle
