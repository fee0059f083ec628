// Formatted output into memory: what is written is an access of the program. How much that is becomes known by
// formatting into nothing first.
#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "program/native/library_accesses.hpp"
#include "program/native/real.hpp"

using namespace heddle::native;  // NOLINT: this file is nothing but definitions in libc's own namespace

namespace {

constexpr std::size_t kNoLimit = ~std::size_t{0};

// Announces that `size` bytes at most are about to be written at `to`. Leaves the arguments as they are.
void prints(char* to, std::size_t size, const char* format, va_list arguments, std::uint64_t site) {
  if (size == 0 || !watched(to)) return;
  announce(to, site);
  va_list copy;
  va_copy(copy, arguments);
  const int length = HEDDLE_REAL(vsnprintf)(nullptr, 0, format, copy);
  va_end(copy);
  if (length >= 0) writes(to, std::min(size, static_cast<std::size_t>(length) + 1), site);
}

using Checked = int (*)(char*, std::size_t, int, std::size_t, const char*, va_list);
using CheckedWithoutSize = int (*)(char*, int, std::size_t, const char*, va_list);

}  // namespace

HEDDLE_INTERCEPT int heddle_vsnprintf(char* to, std::size_t size, const char* format,
                                      va_list arguments) __asm__("vsnprintf");
int heddle_vsnprintf(char* to, std::size_t size, const char* format, va_list arguments) {
  prints(to, size, format, arguments, HEDDLE_SITE);
  return HEDDLE_REAL(vsnprintf)(to, size, format, arguments);
}
HEDDLE_INTERCEPT int heddle_vsprintf(char* to, const char* format, va_list arguments) __asm__("vsprintf");
int heddle_vsprintf(char* to, const char* format, va_list arguments) {
  prints(to, kNoLimit, format, arguments, HEDDLE_SITE);
  return HEDDLE_REAL(vsprintf)(to, format, arguments);
}
HEDDLE_INTERCEPT int heddle_snprintf(char* to, std::size_t size, const char* format, ...) __asm__("snprintf");
int heddle_snprintf(char* to, std::size_t size, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  prints(to, size, format, arguments, HEDDLE_SITE);
  const int length = HEDDLE_REAL(vsnprintf)(to, size, format, arguments);
  va_end(arguments);
  return length;
}
HEDDLE_INTERCEPT int heddle_sprintf(char* to, const char* format, ...) __asm__("sprintf");
int heddle_sprintf(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  prints(to, kNoLimit, format, arguments, HEDDLE_SITE);
  const int length = HEDDLE_REAL(vsprintf)(to, format, arguments);
  va_end(arguments);
  return length;
}

// With _FORTIFY_SOURCE the size of the target comes along; libc's check stays in force.
HEDDLE_INTERCEPT int __snprintf_chk(char* to, std::size_t size, int flags, std::size_t room, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  prints(to, std::min(size, room), format, arguments, HEDDLE_SITE);
  const int length = HEDDLE_REAL_UNDECLARED(Checked, "__vsnprintf_chk")(to, size, flags, room, format, arguments);
  va_end(arguments);
  return length;
}
HEDDLE_INTERCEPT int __vsnprintf_chk(char* to, std::size_t size, int flags, std::size_t room, const char* format,
                                     va_list arguments) {
  prints(to, std::min(size, room), format, arguments, HEDDLE_SITE);
  return HEDDLE_REAL_UNDECLARED(Checked, "__vsnprintf_chk")(to, size, flags, room, format, arguments);
}
HEDDLE_INTERCEPT int __sprintf_chk(char* to, int flags, std::size_t room, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  prints(to, room, format, arguments, HEDDLE_SITE);
  const int length = HEDDLE_REAL_UNDECLARED(CheckedWithoutSize, "__vsprintf_chk")(to, flags, room, format, arguments);
  va_end(arguments);
  return length;
}
HEDDLE_INTERCEPT int __vsprintf_chk(char* to, int flags, std::size_t room, const char* format, va_list arguments) {
  prints(to, room, format, arguments, HEDDLE_SITE);
  return HEDDLE_REAL_UNDECLARED(CheckedWithoutSize, "__vsprintf_chk")(to, flags, room, format, arguments);
}
