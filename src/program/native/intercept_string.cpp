// Copies and comparisons that compilers leave to libc: accesses of the program like any other.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cwchar>

#include "program/native/accesses.hpp"
#include "program/native/own_memory.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/tls.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

namespace {

// Copies inside the runtime (its C++ library's, say) are nobody's accesses; thread-local storage of the program's
// threads lies in the runtime's heap too, but is theirs.
bool watched(std::uint64_t address) {
  if (!rt.inside) return false;
  return address < kRuntimeHeap || address >= kRuntimeEnd || tls_contains(address);
}

void access(std::uint64_t address, std::size_t size, bool write, std::uint64_t site) {
  if (size == 0 || !watched(address)) return;
  await_plain(address, size, write);
  if (!rt.checked) inspect(address, size, write, site);
}
void reads(const void* from, std::size_t size, std::uint64_t site) { access(word(from), size, false, site); }
void writes(void* to, std::size_t size, std::uint64_t site) { access(word(to), size, true, site); }

// When all accesses are visible, a function that reads and writes whole ranges is one operation on everything: it must
// look at memory only after it was chosen.
void announce(const void* memory, std::uint64_t site) {
  if (rt.settings.visible_all && watched(word(memory)))
    reach({.kind = OpKind::Unknown, .object = word(memory), .site = site});
}

}  // namespace

HEDDLE_INTERCEPT void* memcpy(void* to, const void* from, std::size_t size) noexcept {
  announce(to, HEDDLE_SITE);
  reads(from, size, HEDDLE_SITE);
  writes(to, size, HEDDLE_SITE);
  return own_copy(to, from, size);
}
HEDDLE_INTERCEPT void* memmove(void* to, const void* from, std::size_t size) noexcept {
  announce(to, HEDDLE_SITE);
  reads(from, size, HEDDLE_SITE);
  writes(to, size, HEDDLE_SITE);
  return own_move(to, from, size);
}
HEDDLE_INTERCEPT void* memset(void* to, int value, std::size_t size) noexcept {
  announce(to, HEDDLE_SITE);
  writes(to, size, HEDDLE_SITE);
  return own_set(to, value, size);
}
HEDDLE_INTERCEPT void* heddle_mempcpy(void* to, const void* from, std::size_t size) __asm__("mempcpy");
void* heddle_mempcpy(void* to, const void* from, std::size_t size) {
  return static_cast<char*>(memcpy(to, from, size)) + size;
}
// clang's own names for the same, for copies that the program does not call for.
HEDDLE_INTERCEPT void* __tsan_memcpy(void* to, const void* from, std::size_t size) { return memcpy(to, from, size); }
HEDDLE_INTERCEPT void* __tsan_memmove(void* to, const void* from, std::size_t size) { return memmove(to, from, size); }
HEDDLE_INTERCEPT void* __tsan_memset(void* to, int value, std::size_t size) { return memset(to, value, size); }

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
  announce(text, HEDDLE_SITE);
  const std::size_t length = own_length(text);
  reads(text, length + 1, HEDDLE_SITE);
  return length;
}
HEDDLE_INTERCEPT char* heddle_strcpy(char* to, const char* from) __asm__("strcpy");
char* heddle_strcpy(char* to, const char* from) {
  announce(to, HEDDLE_SITE);
  const std::size_t length = own_length(from);
  reads(from, length + 1, HEDDLE_SITE);
  writes(to, length + 1, HEDDLE_SITE);
  return static_cast<char*>(own_copy(to, from, length + 1));
}
HEDDLE_INTERCEPT char* heddle_strncpy(char* to, const char* from, std::size_t size) __asm__("strncpy");
char* heddle_strncpy(char* to, const char* from, std::size_t size) {
  announce(to, HEDDLE_SITE);
  std::size_t length = 0;
  while (length < size && from[length] != '\0') ++length;
  reads(from, length < size ? length + 1 : size, HEDDLE_SITE);
  writes(to, size, HEDDLE_SITE);
  own_copy(to, from, length);
  own_set(to + length, 0, size - length);
  return to;
}
HEDDLE_INTERCEPT char* heddle_strcat(char* to, const char* from) __asm__("strcat");
char* heddle_strcat(char* to, const char* from) {
  announce(to, HEDDLE_SITE);
  const std::size_t before = own_length(to);
  const std::size_t length = own_length(from);
  reads(to, before + 1, HEDDLE_SITE);
  reads(from, length + 1, HEDDLE_SITE);
  writes(to + before, length + 1, HEDDLE_SITE);
  own_copy(to + before, from, length + 1);
  return to;
}
HEDDLE_INTERCEPT int heddle_strcmp(const char* a, const char* b) __asm__("strcmp");
int heddle_strcmp(const char* a, const char* b) {
  announce(a, HEDDLE_SITE);
  std::size_t at = 0;
  while (a[at] == b[at] && a[at] != '\0') ++at;
  reads(a, at + 1, HEDDLE_SITE);
  reads(b, at + 1, HEDDLE_SITE);
  return static_cast<unsigned char>(a[at]) - static_cast<unsigned char>(b[at]);
}
HEDDLE_INTERCEPT int heddle_memcmp(const void* a, const void* b, std::size_t size) __asm__("memcmp");
int heddle_memcmp(const void* a, const void* b, std::size_t size) {
  announce(a, HEDDLE_SITE);
  reads(a, size, HEDDLE_SITE);
  reads(b, size, HEDDLE_SITE);
  return own_compare(a, b, size);
}
