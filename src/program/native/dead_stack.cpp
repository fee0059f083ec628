#include "program/native/dead_stack.hpp"

#include <cstring>

namespace heddle::native {
namespace {

constexpr std::uint64_t kBlock = 64;

// Whether a block of the stack, which begins at a multiple of its size, is all zeros.
bool is_blank(const void* block) noexcept {
  using Piece = std::uint64_t __attribute__((vector_size(16), may_alias));
  const auto* const pieces = static_cast<const Piece*>(block);
  const Piece any = (pieces[0] | pieces[1]) | (pieces[2] | pieces[3]);
  return (any[0] | any[1]) == 0;
}

}  // namespace

std::uint64_t live_stack(const Fibre& fibre) noexcept {
  const bool alive = fibre.state->phase == ThreadPhase::Pending;
  return alive ? reinterpret_cast<std::uint64_t>(fibre.stack_pointer) : fibre.stack_high;
}

// How deep a thread's calls went is not known; a stretch of zeros that long says that it was not deeper.
void clear_dead_stack(const Fibre& fibre) noexcept {
  constexpr std::uint64_t kUntouched = 8192;
  const std::uint64_t live = live_stack(fibre);
  std::uint64_t at = live & ~(kBlock - 1);
  std::memset(reinterpret_cast<void*>(at), 0, live - at);
  for (std::uint64_t zeros = 0; zeros < kUntouched && at >= fibre.stack_low + kBlock;) {
    at -= kBlock;
    if (is_blank(reinterpret_cast<const void*>(at))) {
      zeros += kBlock;
    } else {
      zeros = 0;
      std::memset(reinterpret_cast<void*>(at), 0, kBlock);
    }
  }
}

}  // namespace heddle::native
