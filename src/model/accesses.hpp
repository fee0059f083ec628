// The accesses of an event, one per object: what the dependency relation says about pairs, taken apart by object.
//
// An object has a key: its class and its address. Memory is cut into words of 8 bytes; an access says which bytes of
// the word it touches. A wake-up is an object of the thread that is woken. Two events of different threads that are not
// `total` are dependent iff they have accesses to one object that share a byte and do not commute, or one of them
// creates or joins the thread of the other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "model/dependency.hpp"

namespace heddle {

struct ObjectAccess {
  std::uint64_t key;
  std::uint8_t bytes;
  Mode mode;
};

namespace detail {

constexpr std::uint64_t kWakeClass = 0xFF;

constexpr std::uint64_t object_key(std::uint64_t object_class, std::uint64_t name) noexcept {
  return (object_class << 56U) ^ name;
}

template <typename Visit>
constexpr void visit_memory(std::uint64_t address, std::uint64_t size, Mode mode, const Visit& visit) {
  const std::uint64_t end = address + (size > 0 ? size : 1);
  if (mode == Mode::Attempt && address / 8 != (end - 1) / 8) mode = Mode::Write;
  while (address < end) {
    const std::uint64_t at = address & 7U;
    const std::uint64_t length = std::min<std::uint64_t>(8 - at, end - address);
    const auto bytes = static_cast<std::uint8_t>(((1U << length) - 1U) << at);
    visit(ObjectAccess{object_key(static_cast<std::uint64_t>(ObjectClass::Memory), address >> 3U), bytes, mode});
    address += length;
  }
}

template <typename Visit>
constexpr void visit_access(AccessTrait trait, std::uint64_t address, std::uint64_t size, const Visit& visit) {
  if (trait.object == ObjectClass::None || trait.object == ObjectClass::Any) return;
  if (trait.object == ObjectClass::Memory) {
    visit_memory(address, size, trait.mode, visit);
  } else {
    visit(ObjectAccess{object_key(static_cast<std::uint64_t>(trait.object), address), 1, trait.mode});
  }
}

template <typename Visit>
constexpr void visit_kind(OpKind kind, const Operation& op, const Visit& visit) {
  const KindTraits& row = traits(kind);
  visit_access(row.first, op.object, op.size, visit);
  visit_access(row.second, row.second.object == ObjectClass::Futex ? op.object : op.second, 1, visit);
}

// Where the object of a key is, if it is at an address (threads and the like have numbers).
constexpr std::optional<std::uint64_t> address_of(std::uint64_t key) noexcept {
  const auto object = static_cast<ObjectClass>(key >> 56U);
  const std::uint64_t name = key & ((std::uint64_t{1} << 56U) - 1);
  switch (object) {
    case ObjectClass::Memory: return name << 3U;
    case ObjectClass::Mutex:
    case ObjectClass::RwLock:
    case ObjectClass::Semaphore:
    case ObjectClass::Condition:
    case ObjectClass::Barrier:
    case ObjectClass::Once:
    case ObjectClass::Futex: return name;
    default: return std::nullopt;
  }
}

}  // namespace detail

// Calls `visit` for each access of an event. It is passed on by reference: copying a closure just made would read back
// in wide pieces what was written in narrow ones, which processors do slowly.
template <typename Visit>
constexpr void visit_accesses(const Event& event, const Visit& visit) {
  detail::visit_kind(event.op.kind, event.op, visit);
  if (traits(event.op.kind).wakes) {
    for (std::uint64_t rest = event.woken; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint64_t>(std::countr_zero(rest));
      visit(ObjectAccess{detail::object_key(detail::kWakeClass, bit), 1, Mode::Write});
    }
  }
}

// Whether an event depends on all others.
[[nodiscard]] constexpr bool is_total(const Event& event) noexcept {
  return event.total || traits(event.op.kind).first.object == ObjectClass::Any;
}

}  // namespace heddle
