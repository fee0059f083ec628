// What copies and text functions become in programs built with _FORTIFY_SOURCE: the size of the target comes along, and
// libc ends the process if that is too small. That check stays in force: libc's function is called, and only what it
// can write counts as written. (Formatted output: intercept_print.cpp.)
#include <algorithm>
#include <cstddef>

#include "program/native/library_accesses.hpp"
#include "program/native/own_memory.hpp"
#include "program/native/real.hpp"

using namespace heddle::native;  // NOLINT: this file is nothing but definitions in libc's own namespace

namespace {

using Copy = void* (*)(void*, const void*, std::size_t, std::size_t);
using Text = char* (*)(char*, const char*, std::size_t);
using TextOfLength = char* (*)(char*, const char*, std::size_t, std::size_t);

void copies(void* to, const void* from, std::size_t size, std::size_t room, std::uint64_t site) {
  announce(to, site);
  reads(from, size, site);
  writes(to, std::min(size, room), site);
}

void copies_text(char* to, const char* from, std::size_t room, std::uint64_t site) {
  announce(to, site);
  const std::size_t size = own_length(from) + 1;
  reads(from, size, site);
  writes(to, std::min(size, room), site);
}

std::size_t length_within(const char* text, std::size_t most) {
  std::size_t length = 0;
  while (length < most && text[length] != '\0') ++length;
  return length;
}

// `most`: how much of `from` may be appended.
void appends(char* to, const char* from, std::size_t most, std::size_t room, std::uint64_t site) {
  announce(to, site);
  const std::size_t before = length_within(to, room);
  const std::size_t length = length_within(from, most);
  reads(to, std::min(before + 1, room), site);
  reads(from, length < most ? length + 1 : most, site);
  writes(to + before, std::min(length + 1, room - before), site);
}

constexpr std::size_t kNoLimit = ~std::size_t{0};

}  // namespace

HEDDLE_INTERCEPT void* __memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  copies(to, from, size, room, HEDDLE_SITE);
  return HEDDLE_REAL_UNDECLARED(Copy, "__memcpy_chk")(to, from, size, room);
}
HEDDLE_INTERCEPT void* __memmove_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  copies(to, from, size, room, HEDDLE_SITE);
  return HEDDLE_REAL_UNDECLARED(Copy, "__memmove_chk")(to, from, size, room);
}
HEDDLE_INTERCEPT void* __mempcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  copies(to, from, size, room, HEDDLE_SITE);
  return HEDDLE_REAL_UNDECLARED(Copy, "__mempcpy_chk")(to, from, size, room);
}
HEDDLE_INTERCEPT void* __memset_chk(void* to, int value, std::size_t size, std::size_t room) {
  announce(to, HEDDLE_SITE);
  writes(to, std::min(size, room), HEDDLE_SITE);
  using Function = void* (*)(void*, int, std::size_t, std::size_t);
  return HEDDLE_REAL_UNDECLARED(Function, "__memset_chk")(to, value, size, room);
}
HEDDLE_INTERCEPT char* __strcpy_chk(char* to, const char* from, std::size_t room) {
  copies_text(to, from, room, HEDDLE_SITE);
  return HEDDLE_REAL_UNDECLARED(Text, "__strcpy_chk")(to, from, room);
}
HEDDLE_INTERCEPT char* __stpcpy_chk(char* to, const char* from, std::size_t room) {
  copies_text(to, from, room, HEDDLE_SITE);
  return HEDDLE_REAL_UNDECLARED(Text, "__stpcpy_chk")(to, from, room);
}
HEDDLE_INTERCEPT char* __strncpy_chk(char* to, const char* from, std::size_t size, std::size_t room) {
  announce(to, HEDDLE_SITE);
  reads(from, std::min(length_within(from, size) + 1, size), HEDDLE_SITE);
  writes(to, std::min(size, room), HEDDLE_SITE);
  return HEDDLE_REAL_UNDECLARED(TextOfLength, "__strncpy_chk")(to, from, size, room);
}
HEDDLE_INTERCEPT char* __strcat_chk(char* to, const char* from, std::size_t room) {
  appends(to, from, kNoLimit, room, HEDDLE_SITE);
  return HEDDLE_REAL_UNDECLARED(Text, "__strcat_chk")(to, from, room);
}
HEDDLE_INTERCEPT char* __strncat_chk(char* to, const char* from, std::size_t size, std::size_t room) {
  appends(to, from, size, room, HEDDLE_SITE);
  return HEDDLE_REAL_UNDECLARED(TextOfLength, "__strncat_chk")(to, from, size, room);
}
