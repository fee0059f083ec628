// A few bits that tell most independent events apart without looking at them.
//
// Each object has a bit, shared with others; so has each thread. An event touches the bits of the objects it accesses
// and of its thread, and changes those that it does not only read; the creation of a thread, and its join, change the
// bit of the thread. If neither of two events changes what the other one touches, they are independent. If one does,
// nothing is known: ask `dependent`.
#pragma once

#include <cstdint>

#include "model/accesses.hpp"

namespace heddle {

struct Signature {
  std::uint64_t changes = 0;
  std::uint64_t touches = 0;
};

namespace detail {

constexpr std::uint64_t signature_bit(std::uint64_t key) noexcept {
  return std::uint64_t{1} << ((key * 0x9E3779B97F4A7C15U) >> 58U);
}

constexpr std::uint64_t thread_bit(std::uint64_t thread) noexcept { return signature_bit(thread + 1); }

}  // namespace detail

[[nodiscard]] constexpr Signature signature(const Event& event) noexcept {
  if (is_total(event)) return {~std::uint64_t{0}, ~std::uint64_t{0}};
  const std::uint64_t own = detail::thread_bit(event.thread.value);
  Signature result{own, own};
  if (event.op.kind == OpKind::ThreadCreate || event.op.kind == OpKind::ThreadJoin) {
    result.changes |= detail::thread_bit(event.op.second);
  }
  visit_accesses(event, [&](const ObjectAccess& access) {
    const std::uint64_t bit = detail::signature_bit(access.key);
    result.touches |= bit;
    if (access.mode != Mode::Read) result.changes |= bit;
  });
  return result;
}

// Whether two events may be dependent, by their signatures.
[[nodiscard]] constexpr bool may_depend(const Signature& a, const Signature& b) noexcept {
  return ((a.changes & b.touches) | (a.touches & b.changes)) != 0;
}

}  // namespace heddle
