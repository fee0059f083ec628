// System calls made by the runtime itself, from its own text: the one range that Syscall User Dispatch lets through.
// They neither touch errno nor depend on libc's state, which belongs to the program under test.
#pragma once

#include <cstdint>

namespace heddle::native {

inline long raw_syscall(long number, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0, std::uint64_t d = 0,
                        std::uint64_t e = 0, std::uint64_t f = 0) noexcept {
  long result;
  register std::uint64_t r10 asm("r10") = d;
  register std::uint64_t r8 asm("r8") = e;
  register std::uint64_t r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

template <typename T>
std::uint64_t word(T* pointer) noexcept {
  return reinterpret_cast<std::uint64_t>(pointer);
}

}  // namespace heddle::native
