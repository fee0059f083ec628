// Copies and comparisons that compilers leave to libc: accesses of the program like any other.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cwchar>

#include "program/native/accesses.hpp"
#include "program/native/own_memory.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"

using namespace heddle::native;  // NOLINT: this file is nothing but definitions in libc's own namespace

namespace {

// Copies inside the runtime (its C++ library's, say) are nobody's accesses.
bool watched(std::uint64_t address) { return rt.inside && !(address >= kRuntimeHeap && address < kRuntimeEnd); }

void reads(const void* from, std::size_t size, std::uint64_t site) {
  if (watched(word(from))) plain_access(word(from), size, false, site);
}
void writes(void* to, std::size_t size, std::uint64_t site) {
  if (watched(word(to))) plain_access(word(to), size, true, site);
}

}  // namespace

HEDDLE_INTERCEPT void* memcpy(void* to, const void* from, std::size_t size) noexcept {
  reads(from, size, HEDDLE_SITE);
  writes(to, size, HEDDLE_SITE);
  return own_copy(to, from, size);
}
HEDDLE_INTERCEPT void* memmove(void* to, const void* from, std::size_t size) noexcept {
  reads(from, size, HEDDLE_SITE);
  writes(to, size, HEDDLE_SITE);
  return own_move(to, from, size);
}
HEDDLE_INTERCEPT void* memset(void* to, int value, std::size_t size) noexcept {
  writes(to, size, HEDDLE_SITE);
  return own_set(to, value, size);
}
HEDDLE_INTERCEPT void* heddle_mempcpy(void* to, const void* from, std::size_t size) __asm__("mempcpy");
void* heddle_mempcpy(void* to, const void* from, std::size_t size) {
  reads(from, size, HEDDLE_SITE);
  writes(to, size, HEDDLE_SITE);
  return static_cast<char*>(own_copy(to, from, size)) + size;
}

// With _FORTIFY_SOURCE the size of the target comes along; libc's check stays in force.
HEDDLE_INTERCEPT void* __memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  reads(from, size, HEDDLE_SITE);
  writes(to, size < room ? size : room, HEDDLE_SITE);
  using Function = void* (*)(void*, const void*, std::size_t, std::size_t);
  return HEDDLE_REAL_UNDECLARED(Function, "__memcpy_chk")(to, from, size, room);
}
HEDDLE_INTERCEPT void* __memset_chk(void* to, int value, std::size_t size, std::size_t room) {
  writes(to, size < room ? size : room, HEDDLE_SITE);
  using Function = void* (*)(void*, int, std::size_t, std::size_t);
  return HEDDLE_REAL_UNDECLARED(Function, "__memset_chk")(to, value, size, room);
}

// String functions stop at a byte they find, so the length comes first.
HEDDLE_INTERCEPT std::size_t heddle_strlen(const char* text) __asm__("strlen");
std::size_t heddle_strlen(const char* text) {
  const std::size_t length = own_length(text);
  reads(text, length + 1, HEDDLE_SITE);
  return length;
}
HEDDLE_INTERCEPT char* heddle_strcpy(char* to, const char* from) __asm__("strcpy");
char* heddle_strcpy(char* to, const char* from) {
  const std::size_t length = own_length(from);
  reads(from, length + 1, HEDDLE_SITE);
  writes(to, length + 1, HEDDLE_SITE);
  return static_cast<char*>(own_copy(to, from, length + 1));
}
HEDDLE_INTERCEPT int heddle_strcmp(const char* a, const char* b) __asm__("strcmp");
int heddle_strcmp(const char* a, const char* b) {
  std::size_t at = 0;
  while (a[at] == b[at] && a[at] != '\0') ++at;
  reads(a, at + 1, HEDDLE_SITE);
  reads(b, at + 1, HEDDLE_SITE);
  return static_cast<unsigned char>(a[at]) - static_cast<unsigned char>(b[at]);
}
HEDDLE_INTERCEPT int heddle_memcmp(const void* a, const void* b, std::size_t size) __asm__("memcmp");
int heddle_memcmp(const void* a, const void* b, std::size_t size) {
  reads(a, size, HEDDLE_SITE);
  reads(b, size, HEDDLE_SITE);
  return own_compare(a, b, size);
}
