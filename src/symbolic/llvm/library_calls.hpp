// What functions of the library do to memory and objects, for analyses that do not execute them.
#pragma once

#include <string_view>
#include <vector>

#include "model/static_table.hpp"

namespace heddle::symbolic {

enum class CallEffect : std::uint8_t {
  None,           // no pointer is kept, none comes back
  Allocates,      // returns a block of its own
  Reallocates,    // likewise, with what the first argument's block had in it
  Copies,         // what the second argument points to has in it, into what the first does, which is returned
  CreatesThread,  // that runs the third argument with the fourth (C11: second, third)
  JoinsThread,    // whose result goes where the second argument points
  CallsOnce,      // the second argument, on this thread
  KeepsForThread,
  GetsKept,
};

// An access to what an argument points to.
struct CallAccess {
  unsigned argument;
  ObjectClass object_class;
  StaticMode mode;
  bool plain = false;
};

struct LibraryCall {
  CallEffect effect = CallEffect::None;
  std::vector<CallAccess> accesses = {};
  // Which argument is the function that a thread runs, or that is called once; its argument follows.
  unsigned function = 0;
  bool everything = false;    // an operation on everything
  bool handles = false;       // an operation on threads as such
  bool lifetime = false;      // the life of an object or a block begins or ends: an operation on everything where all
                              // accesses are visible
  bool keeps_callee = false;  // functions passed to it are called when a thread or the program ends
};

// Null for one that nothing is known of: it may do anything.
[[nodiscard]] const LibraryCall* find_library_call(std::string_view name);

// Whether a program that has it cannot be understood by its control flow.
[[nodiscard]] bool breaks_control_flow(std::string_view name);

}  // namespace heddle::symbolic
