// What a static analysis has found out about a program: at each location, which objects a thread standing there may
// touch next, and which it may still touch from there to its end.
//
// Objects are classes of real ones (a variable with all its elements, all blocks that one call of malloc returns), so
// that two accesses to one of them may, but need not, be to the same memory. A thread that is not there yet counts
// through the thread that may create it: what it may touch is among what its creator may still touch.
#pragma once

#include <cstdint>
#include <vector>

#include "model/dependency.hpp"

namespace heddle {

enum class StaticMode : std::uint8_t {
  Read,
  Write,
  Acquire,  // of a lock, by a call that waits for it
  Try,      // of a lock, by a call that does not
  Release,  // of a lock, by who holds it
};

// An access to an object of the class Any is one to everything: code that nobody has looked at.
struct StaticAccess {
  std::uint32_t object = 0;
  ObjectClass object_class = ObjectClass::Any;
  StaticMode mode = StaticMode::Write;
  bool plain = false;  // an operation only where plain accesses are
  friend constexpr auto operator<=>(const StaticAccess&, const StaticAccess&) = default;
};

// Both lists are of numbers of accesses. What comes next is among what may still come.
struct StaticLocation {
  std::vector<std::uint32_t> next;
  std::vector<std::uint32_t> later;
};

// Code from this address of the executable on, up to the next entry's.
struct StaticCode {
  std::uint64_t begin = 0;
  std::uint32_t location = 0;
};

inline constexpr std::uint32_t kUnknownLocation = 0;

struct StaticTable {
  std::vector<StaticAccess> accesses;
  std::vector<StaticLocation> locations;  // the first, for code that nothing is known of, has an access to everything
  std::vector<StaticCode> code;           // by address
};

}  // namespace heddle
