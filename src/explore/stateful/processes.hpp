// What searches over states need of the operating system, behind function pointers: inside a program under control, the
// system's own functions belong to that program.
#pragma once

#include <cstddef>

namespace heddle {

struct Processes {
  // Zeroed memory, shared with the processes forked later; null if there is none. It is taken as it is touched.
  void* (*map)(std::size_t bytes) = nullptr;
  void (*unmap)(void* memory, std::size_t bytes) = nullptr;
  int (*fork)() = nullptr;  // as the system call
  enum class Child : unsigned char { Runs, Ended, Died };
  Child (*look_after)(int child, bool wait) = nullptr;  // how it stands; with `wait`, at its end
  void (*exit)() = nullptr;                             // of a forked process, at once
  void (*pause)() = nullptr;                            // gives the processor to somebody else
};

// Those of an ordinary process.
[[nodiscard]] const Processes& ordinary_processes();

}  // namespace heddle
