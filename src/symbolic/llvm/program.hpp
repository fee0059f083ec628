// The front end: C and C++ programs, compiled to LLVM bitcode, as automata.
//
// Each thread is executed by itself, with constants where values are known and with variables where they come from
// memory or from inputs. A location is a stack of calls with, for each register that is still needed, its constant or
// the variable that holds it: loops with known bounds unroll by themselves, calls are inlined, and pointers that are
// known are known exactly. A transition is what happens between two scheduling points:
//   - one synchronisation or atomic operation and the local computation behind it, or
//   - plain accesses to memory that others may reach, up to the next synchronisation. Two threads that stand before
//     such accesses at once, to one place, one of them writing, have a data race; a program without one behaves the
//     same when they are one step.
// What main does before the first thread is created is executed once, while the program is loaded.
//
// What the front end cannot follow becomes a check that fails: only a program that can get there is refused.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "symbolic/automaton.hpp"

namespace heddle::symbolic {

class ProgramAutomata : public Automata {
 public:
  // Events of main before its first location: all with outcome 0.
  [[nodiscard]] virtual std::size_t prefix_events() const = 0;
  // Whether structures are passed by value from memory that others may reach. The compiler tells nobody of that access.
  [[nodiscard]] virtual bool passes_structures() const = 0;
  // Whether the program looks at clocks, whose values are followed only in part, and whether it has waits that end when
  // their time is up, which they do here as often as they like.
  [[nodiscard]] virtual bool reads_clocks() const = 0;
  [[nodiscard]] virtual bool times_out() const = 0;
  // What the verdict does not cover, as sentences.
  [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
  // The failure of an access through a pointer that may be anything.
  [[nodiscard]] virtual FailureId wild() const = 0;
};

struct ProgramSource {
  std::vector<std::string> bitcode;    // files
  std::vector<std::string> arguments;  // of main, the program's name first
  std::uint32_t spurious_wakeups = 0;  // explored per execution
  // What main does alone is not followed beyond this; the search then begins with main, and has no time left.
  TermPool::Clock::time_point end = TermPool::Clock::time_point::max();
};

// Null if Heddle was built without LLVM, or with `error` set if the program cannot be loaded.
[[nodiscard]] std::unique_ptr<ProgramAutomata> load_program(const ProgramSource& source, std::string& error);

}  // namespace heddle::symbolic
