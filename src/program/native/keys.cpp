#include "program/native/keys.hpp"

#include <cerrno>
#include <climits>
#include <vector>

#include "program/native/await.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"

namespace heddle::native {
namespace {

struct Key {
  std::uint64_t used = 0;  // as wide as the pointer: the table is compared as bytes
  KeyDestructor destructor = nullptr;
};

struct Keys {
  std::vector<Key> table;
  std::vector<Key> initial;
};
Keys keys;

bool valid(unsigned key) { return key < keys.table.size() && keys.table[key].used != 0; }

}  // namespace

void keys_seal() { keys.initial = keys.table; }

void keys_reset() { keys.table = keys.initial; }

std::size_t room_for_keys() noexcept { return CheckpointBuffer::room_for(keys.table); }

// Those behind the last in use were deleted: that there was room for them is history.
std::span<const std::byte> keys_bytes() noexcept {
  std::size_t count = keys.table.size();
  while (count > 0 && keys.table[count - 1].used == 0) --count;
  return std::as_bytes(std::span(keys.table).first(count));
}

void save_keys(CheckpointBuffer& buffer) { buffer.put(keys.table); }

void restore_keys(CheckpointReader& reader) { reader.get(keys.table); }

int key_create(unsigned* key, KeyDestructor destructor) {
  OutsideProgram outside;
  std::size_t at = 0;
  while (at < keys.table.size() && keys.table[at].used != 0) ++at;
  if (at == PTHREAD_KEYS_MAX) return EAGAIN;
  if (at == keys.table.size()) keys.table.emplace_back();
  keys.table[at] = {1, destructor};
  *key = static_cast<unsigned>(at);
  return 0;
}

int key_delete(unsigned key) {
  if (!valid(key)) return EINVAL;
  keys.table[key] = {};
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    if (key < rt.fibres[i]->key_values.size()) rt.fibres[i]->key_values[key] = nullptr;
  }
  return 0;
}

void* key_get(const Fibre& fibre, unsigned key) {
  return valid(key) && key < fibre.key_values.size() ? fibre.key_values[key] : nullptr;
}

int key_set(Fibre& fibre, unsigned key, const void* value) {
  await_effect();
  if (!valid(key)) return EINVAL;
  if (key >= fibre.key_values.size()) {
    OutsideProgram outside;
    fibre.key_values.resize(key + 1, nullptr);
  }
  fibre.key_values[key] = const_cast<void*>(value);
  return 0;
}

void run_key_destructors(Fibre& fibre) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool called = false;
    for (std::size_t key = 0; key < fibre.key_values.size(); ++key) {
      void* value = fibre.key_values[key];
      if (value == nullptr || !valid(static_cast<unsigned>(key)) || keys.table[key].destructor == nullptr) continue;
      fibre.key_values[key] = nullptr;
      called = true;
      clear_before_call();
      keys.table[key].destructor(value);
    }
    if (!called) return;
  }
}

}  // namespace heddle::native
