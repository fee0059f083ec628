// The runtime's own memcpy and kin. The library exports memcpy to watch the program's copies; its own must not go
// there, so the linker diverts them here (--wrap): to libc's functions, once they have been found, and to plain string
// instructions until then.
#include "program/native/own_memory.hpp"

#include <dlfcn.h>
#include <immintrin.h>

#include <cstddef>

#include "program/native/layout.hpp"

namespace heddle::native {

OwnMemory own_memory{};

namespace {

__attribute__((target("avx2"))) void copy_page_wide(void* to, const void* from) {
  auto* target = static_cast<__m256i*>(to);
  const auto* source = static_cast<const __m256i*>(from);
  for (std::size_t i = 0; i < kPage / sizeof(__m256i); i += 4) {
    const __m256i a = _mm256_loadu_si256(source + i);
    const __m256i b = _mm256_loadu_si256(source + i + 1);
    const __m256i c = _mm256_loadu_si256(source + i + 2);
    const __m256i d = _mm256_loadu_si256(source + i + 3);
    _mm256_storeu_si256(target + i, a);
    _mm256_storeu_si256(target + i + 1, b);
    _mm256_storeu_si256(target + i + 2, c);
    _mm256_storeu_si256(target + i + 3, d);
  }
}

__attribute__((target("avx512f"))) void copy_page_widest(void* to, const void* from) {
  auto* target = static_cast<__m512i*>(to);
  const auto* source = static_cast<const __m512i*>(from);
  for (std::size_t i = 0; i < kPage / sizeof(__m512i); i += 8) {
    const __m512i a = _mm512_loadu_si512(source + i);
    const __m512i b = _mm512_loadu_si512(source + i + 1);
    const __m512i c = _mm512_loadu_si512(source + i + 2);
    const __m512i d = _mm512_loadu_si512(source + i + 3);
    const __m512i e = _mm512_loadu_si512(source + i + 4);
    const __m512i f = _mm512_loadu_si512(source + i + 5);
    const __m512i g = _mm512_loadu_si512(source + i + 6);
    const __m512i h = _mm512_loadu_si512(source + i + 7);
    _mm512_storeu_si512(target + i, a);
    _mm512_storeu_si512(target + i + 1, b);
    _mm512_storeu_si512(target + i + 2, c);
    _mm512_storeu_si512(target + i + 3, d);
    _mm512_storeu_si512(target + i + 4, e);
    _mm512_storeu_si512(target + i + 5, f);
    _mm512_storeu_si512(target + i + 6, g);
    _mm512_storeu_si512(target + i + 7, h);
  }
}

void copy_page_by_libc(void* to, const void* from) { own_copy(to, from, kPage); }

constexpr std::size_t kLargestBlock = 2048;  // from then on libc's function is as good

// In pieces of one register, of which the last overlaps the one before; what is smaller than that, otherwise.
template <typename Piece, auto kOtherwise>
__attribute__((always_inline)) inline void copy_in_pieces(void* to, const void* from, std::size_t size) {
  if (size < sizeof(Piece) || size > kLargestBlock) {
    kOtherwise(to, from, size);
    return;
  }
  auto* const target = static_cast<unsigned char*>(to);
  const auto* const source = static_cast<const unsigned char*>(from);
  const auto copy = [&](std::size_t at) __attribute__((always_inline)) {
    *reinterpret_cast<Piece*>(target + at) = *reinterpret_cast<const Piece*>(source + at);
  };
  const std::size_t last = size - sizeof(Piece);
  for (std::size_t at = 0; at < last; at += sizeof(Piece)) copy(at);
  copy(last);
}

using Piece16 = long long __attribute__((vector_size(16), aligned(1), may_alias));
using Piece32 = long long __attribute__((vector_size(32), aligned(1), may_alias));
using Piece64 = long long __attribute__((vector_size(64), aligned(1), may_alias));

void copy_block_narrow(void* to, const void* from, std::size_t size) {
  copy_in_pieces<Piece16, own_copy>(to, from, size);
}
__attribute__((target("avx2"))) void copy_block_wide(void* to, const void* from, std::size_t size) {
  copy_in_pieces<Piece32, copy_block_narrow>(to, from, size);
}
__attribute__((target("avx512f"))) void copy_block_widest(void* to, const void* from, std::size_t size) {
  copy_in_pieces<Piece64, copy_block_narrow>(to, from, size);
}

}  // namespace

void find_own_memory() {
  own_memory.copy = reinterpret_cast<decltype(own_memory.copy)>(::dlsym(RTLD_NEXT, "memcpy"));
  own_memory.move = reinterpret_cast<decltype(own_memory.move)>(::dlsym(RTLD_NEXT, "memmove"));
  own_memory.set = reinterpret_cast<decltype(own_memory.set)>(::dlsym(RTLD_NEXT, "memset"));
  __builtin_cpu_init();
  const bool wide = __builtin_cpu_supports("avx2") != 0;
  const bool widest = __builtin_cpu_supports("avx512f") != 0;
  own_memory.page = widest ? copy_page_widest : wide ? copy_page_wide : copy_page_by_libc;
  own_memory.block = widest ? copy_block_widest : wide ? copy_block_wide : copy_block_narrow;
}

void* own_copy(void* to, const void* from, std::size_t size) noexcept {
  if (own_memory.copy != nullptr) return own_memory.copy(to, from, size);
  void* result = to;
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
  return result;
}

void* own_move(void* to, const void* from, std::size_t size) noexcept {
  if (own_memory.move != nullptr) return own_memory.move(to, from, size);
  auto* target = static_cast<volatile char*>(to);
  const auto* source = static_cast<const volatile char*>(from);
  if (target < source) {
    for (std::size_t i = 0; i < size; ++i) target[i] = source[i];
  } else {
    for (std::size_t i = size; i-- > 0;) target[i] = source[i];
  }
  return to;
}

void* own_set(void* to, int value, std::size_t size) noexcept {
  if (own_memory.set != nullptr) return own_memory.set(to, value, size);
  void* result = to;
  asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
  return result;
}

int own_compare(const void* a, const void* b, std::size_t size) noexcept {
  const auto* left = static_cast<const volatile unsigned char*>(a);
  const auto* right = static_cast<const volatile unsigned char*>(b);
  // As far as they are the same, by words.
  using Word = unsigned long long __attribute__((aligned(1), may_alias));
  std::size_t i = 0;
  while (i + sizeof(Word) <= size &&
         *reinterpret_cast<const volatile Word*>(left + i) == *reinterpret_cast<const volatile Word*>(right + i)) {
    i += sizeof(Word);
  }
  for (; i < size; ++i) {
    if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
  }
  return 0;
}

bool own_same(const void* a, const void* b, std::size_t size) noexcept {
  using Piece = long long __attribute__((vector_size(16), aligned(1), may_alias));
  const auto* const left = static_cast<const unsigned char*>(a);
  const auto* const right = static_cast<const unsigned char*>(b);
  Piece different{};
  for (std::size_t at = 0; at < size; at += sizeof(Piece)) {
    different |= *reinterpret_cast<const Piece*>(left + at) ^ *reinterpret_cast<const Piece*>(right + at);
  }
  return (different[0] | different[1]) == 0;
}

std::size_t own_length(const char* text) noexcept {
  const volatile char* end = text;
  while (*end != '\0') ++end;
  return static_cast<std::size_t>(end - text);
}

}  // namespace heddle::native

using namespace heddle::native;  // NOLINT: what follows is nothing but definitions for the linker

extern "C" {
__attribute__((visibility("hidden"))) void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
  return own_copy(to, from, size);
}
__attribute__((visibility("hidden"))) void* __wrap_memmove(void* to, const void* from, std::size_t size) {
  return own_move(to, from, size);
}
__attribute__((visibility("hidden"))) void* __wrap_memset(void* to, int value, std::size_t size) {
  return own_set(to, value, size);
}
__attribute__((visibility("hidden"))) int __wrap_memcmp(const void* a, const void* b, std::size_t size) {
  return own_compare(a, b, size);
}
__attribute__((visibility("hidden"))) std::size_t __wrap_strlen(const char* text) { return own_length(text); }
}
