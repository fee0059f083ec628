// Copies and comparisons that compilers leave to libc: accesses of the program like any other.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cwchar>

#include "program/native/library_accesses.hpp"
#include "program/native/own_memory.hpp"
#include "program/native/real.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

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
HEDDLE_INTERCEPT int heddle_strncmp(const char* a, const char* b, std::size_t size) __asm__("strncmp");
int heddle_strncmp(const char* a, const char* b, std::size_t size) {
  announce(a, HEDDLE_SITE);
  std::size_t at = 0;
  while (at < size && a[at] == b[at] && a[at] != '\0') ++at;
  const std::size_t looked_at = at < size ? at + 1 : size;
  reads(a, looked_at, HEDDLE_SITE);
  reads(b, looked_at, HEDDLE_SITE);
  return at < size ? static_cast<unsigned char>(a[at]) - static_cast<unsigned char>(b[at]) : 0;
}
HEDDLE_INTERCEPT char* heddle_strncat(char* to, const char* from, std::size_t size) __asm__("strncat");
char* heddle_strncat(char* to, const char* from, std::size_t size) {
  announce(to, HEDDLE_SITE);
  const std::size_t before = own_length(to);
  std::size_t length = 0;
  while (length < size && from[length] != '\0') ++length;
  reads(to, before + 1, HEDDLE_SITE);
  reads(from, length < size ? length + 1 : size, HEDDLE_SITE);
  writes(to + before, length + 1, HEDDLE_SITE);
  own_copy(to + before, from, length);
  to[before + length] = '\0';
  return to;
}
HEDDLE_INTERCEPT char* heddle_stpcpy(char* to, const char* from) __asm__("stpcpy");
char* heddle_stpcpy(char* to, const char* from) {
  announce(to, HEDDLE_SITE);
  const std::size_t length = own_length(from);
  reads(from, length + 1, HEDDLE_SITE);
  writes(to, length + 1, HEDDLE_SITE);
  return static_cast<char*>(own_copy(to, from, length + 1)) + length;
}
HEDDLE_INTERCEPT char* heddle_strdup(const char* text) __asm__("strdup");
char* heddle_strdup(const char* text) {
  announce(text, HEDDLE_SITE);
  reads(text, own_length(text) + 1, HEDDLE_SITE);
  return HEDDLE_REAL(strdup)(text);
}
HEDDLE_INTERCEPT void* heddle_memchr(const void* memory, int byte, std::size_t size) __asm__("memchr");
void* heddle_memchr(const void* memory, int byte, std::size_t size) {
  announce(memory, HEDDLE_SITE);
  const auto* bytes = static_cast<const unsigned char*>(memory);
  std::size_t at = 0;
  while (at < size && bytes[at] != static_cast<unsigned char>(byte)) ++at;
  reads(memory, at < size ? at + 1 : size, HEDDLE_SITE);
  return at < size ? const_cast<unsigned char*>(bytes + at) : nullptr;
}
HEDDLE_INTERCEPT char* heddle_strchr(const char* text, int character) __asm__("strchr");
char* heddle_strchr(const char* text, int character) {
  announce(text, HEDDLE_SITE);
  std::size_t at = 0;
  while (text[at] != '\0' && text[at] != static_cast<char>(character)) ++at;
  reads(text, at + 1, HEDDLE_SITE);
  return text[at] == static_cast<char>(character) ? const_cast<char*>(text + at) : nullptr;
}
