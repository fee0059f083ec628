#include "explore/stateful/state_store.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cstring>

namespace heddle {
namespace {

constexpr std::uint64_t kFirstBuckets = 1024;
constexpr std::size_t kMostVersions = 1U << 20U;  // remembered; beyond, bytes are looked at again

std::uint64_t hash_bytes(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint64_t hash_pair(std::uint32_t left, std::uint32_t right) {
  std::uint64_t h = (std::uint64_t{left} << 32U) | right;
  h = (h ^ (h >> 32U)) * 0xD6E8FEB86659FD93U;
  h = (h ^ (h >> 32U)) * 0xD6E8FEB86659FD93U;
  return h ^ (h >> 32U);
}

// Which part, and where it ends.
using PartHead = std::array<std::uint64_t, 2>;

PartHead head_of(const StatePart& part) {
  return {(std::uint64_t{part.name} << 1U) | (part.kind == StatePart::Kind::Local ? 1U : 0U), part.bytes.size()};
}

}  // namespace

StateHash hash_of(std::span<const StatePart> parts) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (const StatePart& part : parts) {
    const PartHead head = head_of(part);
    XXH3_128bits_update(&state, head.data(), sizeof(head));
    XXH3_128bits_update(&state, part.bytes.data(), part.bytes.size());
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return {hash.low64, hash.high64};
}

std::vector<std::byte> bytes_of(std::span<const StatePart> parts) {
  std::vector<std::byte> bytes;
  for (const StatePart& part : parts) {
    const PartHead head = head_of(part);
    const auto head_bytes = std::as_bytes(std::span(head));
    bytes.insert(bytes.end(), head_bytes.begin(), head_bytes.end());
    bytes.insert(bytes.end(), part.bytes.begin(), part.bytes.end());
  }
  return bytes;
}

ChainedIndex::ChainedIndex(const Processes& processes, std::uint64_t most_bytes) : buckets_(processes, most_bytes) {
  buckets_.grow(kFirstBuckets);
}

std::uint32_t ChainedIndex::add(std::uint64_t hash, std::uint32_t entry_plus_one) {
  std::uint32_t& bucket = buckets_[hash & (buckets_.size() - 1)];
  const std::uint32_t behind = bucket;
  bucket = entry_plus_one;
  return behind;
}

std::size_t StateStore::VersionHash::operator()(const VersionKey& key) const noexcept {
  return (key.name * 0x9E3779B97F4A7C15U) ^ (key.version * 0xD6E8FEB86659FD93U);
}

StateStore::StateStore(const Processes& processes, Options options)
    : options_(options),
      processes_(processes),
      lock_(processes, 64),
      bytes_(processes, options.max_memory + kFirstBuckets * 64),
      parts_(processes, options.max_memory + kFirstBuckets * 64),
      part_index_(processes, options.max_memory + kFirstBuckets * 64),
      pairs_(processes, options.max_memory + kFirstBuckets * 64),
      pair_index_(processes, options.max_memory + kFirstBuckets * 64),
      states_(processes, options.max_memory + kFirstBuckets * 64),
      state_index_(processes, options.max_memory + kFirstBuckets * 64),
      hashes_(processes, options.max_memory + kFirstBuckets * 64),
      arrivals_(processes, options.max_memory + kFirstBuckets * 64) {
  lock_.grow(1);
}

std::uint64_t StateStore::bytes() const {
  return bytes_.bytes() + parts_.bytes() + part_index_.bytes() + pairs_.bytes() + pair_index_.bytes() +
         states_.bytes() + state_index_.bytes() + hashes_.bytes() + arrivals_.bytes();
}

void StateStore::archive(Archive& archive) {
  bytes_.archive(archive);
  parts_.archive(archive);
  part_index_.archive(archive);
  pairs_.archive(archive);
  pair_index_.archive(archive);
  states_.archive(archive);
  state_index_.archive(archive);
  hashes_.archive(archive);
  arrivals_.archive(archive);
}

// Numbers are 32 bits wide; every table has at most as many entries as there are pairs, parts or states.
bool StateStore::full(std::uint64_t needed) const {
  constexpr std::uint64_t kMost = 0xFFFF'0000;
  return bytes() + needed >= options_.max_memory || pairs_.size() >= kMost || parts_.size() >= kMost ||
         arrivals_.size() >= kMost;
}

bool StateStore::is_part(std::uint32_t number, std::uint64_t hash, std::span<const std::byte> bytes) const {
  const Part& known = parts_[number];
  return known.hash == hash && known.length == bytes.size() &&
         std::memcmp(&bytes_[known.offset], bytes.data(), bytes.size()) == 0;
}

std::uint32_t StateStore::part(std::span<const std::byte> bytes, Lock& lock) {
  const std::uint64_t hash = hash_bytes(bytes);
  Recent& recent = recent_parts_[hash % kRecent];
  if (recent.number_plus_one != 0 && recent.hash == hash && is_part(recent.number_plus_one - 1, hash, bytes)) {
    return recent.number_plus_one - 1;
  }
  lock.take();
  for (std::uint32_t chain = part_index_.first(hash); chain != 0; chain = parts_[chain - 1].next) {
    if (!is_part(chain - 1, hash, bytes)) continue;
    recent = {hash, chain};
    return chain - 1;
  }
  part_index_.make_room(
      parts_.size(), [&](std::uint32_t i) { return parts_[i].hash; },
      [&](std::uint32_t i) -> std::uint32_t& { return parts_[i].next; });
  const std::uint64_t offset = bytes_.grow(bytes.size());
  std::memcpy(bytes_.data() + offset, bytes.data(), bytes.size());
  const auto number = static_cast<std::uint32_t>(parts_.grow(1));
  parts_[number] = {offset, hash, static_cast<std::uint32_t>(bytes.size()), part_index_.add(hash, number + 1)};
  recent = {hash, number + 1};
  return number;
}

std::uint32_t StateStore::part_of(const StatePart& described, Lock& lock) {
  if (described.version == 0) return part(described.bytes, lock);
  const std::uint64_t name =
      (std::uint64_t{described.name} << 1U) | (described.kind == StatePart::Kind::Local ? 1U : 0U);
  const auto [entry, is_new] = versions_.try_emplace({name, described.version}, 0);
  if (is_new) entry->second = part(described.bytes, lock);
  return entry->second;
}

std::uint32_t StateStore::shape(std::span<const StatePart> parts, Lock& lock) {
  shape_bytes_.clear();
  for (const StatePart& described : parts) {
    shape_bytes_.push_back(static_cast<std::byte>(described.kind));
    for (unsigned shift = 0; shift < 32; shift += 8) {
      shape_bytes_.push_back(static_cast<std::byte>(described.name >> shift));
    }
  }
  return part(shape_bytes_, lock);
}

std::uint32_t StateStore::pair(GrowingArray<Pair>& pairs, ChainedIndex& index, std::uint32_t left, std::uint32_t right,
                               bool* is_new) {
  const std::uint64_t hash = hash_pair(left, right);
  for (std::uint32_t chain = index.first(hash); chain != 0; chain = pairs[chain - 1].next) {
    if (pairs[chain - 1].left == left && pairs[chain - 1].right == right) return chain - 1;
  }
  index.make_room(
      pairs.size(), [&](std::uint32_t i) { return hash_pair(pairs[i].left, pairs[i].right); },
      [&](std::uint32_t i) -> std::uint32_t& { return pairs[i].next; });
  const auto number = static_cast<std::uint32_t>(pairs.grow(1));
  pairs[number] = {left, right, index.add(hash, number + 1)};
  if (is_new != nullptr) *is_new = true;
  return number;
}

std::uint32_t StateStore::known_pair(std::uint32_t left, std::uint32_t right, Lock& lock) {
  const std::uint64_t hash = hash_pair(left, right);
  Recent& recent = recent_pairs_[hash % kRecent];
  if (recent.number_plus_one != 0) {
    const Pair& known = pairs_[recent.number_plus_one - 1];
    if (known.left == left && known.right == right) return recent.number_plus_one - 1;
  }
  lock.take();
  const std::uint32_t number = pair(pairs_, pair_index_, left, right, nullptr);
  recent = {hash, number + 1};
  return number;
}

// Halves `level_` until one number is left. Which numbers are parts and which are pairs depends on `count` alone, so
// equal numbers at the top mean equal lists.
std::uint32_t StateStore::tree(std::size_t count, Lock& lock) {
  while (count > 1) {
    const std::size_t pairs = count / 2;
    for (std::size_t i = 0; i < pairs; ++i) {
      level_[i] = known_pair(level_[2 * i], level_[2 * i + 1], lock);
    }
    if (count % 2 == 1) level_[pairs] = level_[count - 1];
    count = pairs + count % 2;
  }
  return count == 0 ? 0 : level_[0];
}

StateStore::Found StateStore::insert_exact(std::span<const StatePart> parts, Lock& lock) {
  level_.clear();
  for (const StatePart& described : parts) level_.push_back(part_of(described, lock));
  const std::uint32_t of_shape = shape(parts, lock);
  const std::uint32_t root = tree(parts.size(), lock);
  lock.take();
  Found found;
  found.number = pair(states_, state_index_, of_shape, root, &found.is_new);
  return found;
}

StateStore::Found StateStore::insert_hash(std::span<const StatePart> parts, Lock& lock) {
  const StateHash hash = hash_of(parts);
  lock.take();
  for (std::uint32_t chain = state_index_.first(hash.low); chain != 0; chain = hashes_[chain - 1].next) {
    if (hashes_[chain - 1].hash == hash) return {chain - 1, false};
  }
  state_index_.make_room(
      hashes_.size(), [&](std::uint32_t i) { return hashes_[i].hash.low; },
      [&](std::uint32_t i) -> std::uint32_t& { return hashes_[i].next; });
  const auto number = static_cast<std::uint32_t>(hashes_.grow(1));
  hashes_[number] = {hash, state_index_.add(hash.low, number + 1)};
  return {number, true};
}

StateStore::Found StateStore::insert(std::span<const StatePart> parts, const Arrival& arrival) {
  Lock lock(*this);
  std::uint64_t needed = 0;
  for (const StatePart& described : parts) needed += described.bytes.size() + sizeof(Part) + 2 * sizeof(Pair);
  if (full(needed)) return {};
  if (versions_.size() >= kMostVersions) versions_.clear();
  const Found found = options_.hash_only ? insert_hash(parts, lock) : insert_exact(parts, lock);
  if (found.is_new) arrivals_.push_back(arrival);
  return found;
}

}  // namespace heddle
