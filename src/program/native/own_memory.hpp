// libc's memory functions, past our own interceptors.
#pragma once

#include <cstddef>

namespace heddle::native {

struct OwnMemory {
  void* (*copy)(void*, const void*, std::size_t);
  void* (*move)(void*, const void*, std::size_t);
  void* (*set)(void*, int, std::size_t);
  void (*page)(void*, const void*);
};
extern OwnMemory own_memory;

void find_own_memory();

// The runtime's own versions, by names that the linker does not divert.
void* own_copy(void* to, const void* from, std::size_t size) noexcept;
void* own_move(void* to, const void* from, std::size_t size) noexcept;
void* own_set(void* to, int value, std::size_t size) noexcept;
int own_compare(const void* a, const void* b, std::size_t size) noexcept;
// Whether two blocks of a multiple of 16 bytes are the same; faster than comparing them.
bool own_same(const void* a, const void* b, std::size_t size) noexcept;
std::size_t own_length(const char* text) noexcept;

// Copies a page of memory. Faster than by libc's function, which uses string instructions from some size on.
inline void copy_page(void* to, const void* from) noexcept { own_memory.page(to, from); }

// Copies a few hundred bytes, without a call.
inline void copy_block(void* to, const void* from, std::size_t size) noexcept {
  using Piece = long long __attribute__((vector_size(16), aligned(1), may_alias));
  constexpr std::size_t kMost = 2048;
  if (size < sizeof(Piece) || size > kMost) {
    own_copy(to, from, size);
    return;
  }
  auto* const target = static_cast<unsigned char*>(to);
  const auto* const source = static_cast<const unsigned char*>(from);
  const auto copy = [&](std::size_t at) {
    *reinterpret_cast<Piece*>(target + at) = *reinterpret_cast<const Piece*>(source + at);
  };
  const std::size_t last = size - sizeof(Piece);  // the last piece overlaps the one before
  std::size_t at = 0;
  for (; at + 4 * sizeof(Piece) <= last; at += 4 * sizeof(Piece)) {
    copy(at);
    copy(at + sizeof(Piece));
    copy(at + 2 * sizeof(Piece));
    copy(at + 3 * sizeof(Piece));
  }
  for (; at < last; at += sizeof(Piece)) copy(at);
  copy(last);
}

}  // namespace heddle::native
