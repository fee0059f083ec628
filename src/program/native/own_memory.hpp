// libc's memory functions, past our own interceptors.
#pragma once

#include <cstddef>

namespace heddle::native {

struct OwnMemory {
  void* (*copy)(void*, const void*, std::size_t);
  void* (*move)(void*, const void*, std::size_t);
  void* (*set)(void*, int, std::size_t);
  void (*page)(void*, const void*);
  void (*block)(void*, const void*, std::size_t);
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

// Copies some hundred bytes: what checkpoints consist of.
inline void copy_block(void* to, const void* from, std::size_t size) noexcept { own_memory.block(to, from, size); }

}  // namespace heddle::native
