// The intermediate form: threads as control-flow automata of guarded transitions over typed variables and memory.
//
// A transition runs its actions in order: it loads from and stores to memory, assumes conditions (its guard: where one
// does not hold the transition is not enabled) and checks them (where one does not hold the program has failed). Then
// its updates assign the thread's variables, all at once. The transitions that leave one location exclude each other:
// what a thread does next depends on the state alone, and on the values it chooses.
//
// Memory is bytes. An address has three parts: 8 bits for a class, 24 for an object, 32 for the offset. Class 0 is the
// program's memory; the others are shadows of it, where the state of the mutex, semaphore, ... at that address is kept.
// So a pointer to a mutex leads to its owner by adding a constant, and what is known about pointers carries over.
//
// An automaton may be built as it is asked for: `transitions` is called for the locations that an unrolling reaches.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/finding.hpp"
#include "symbolic/term.hpp"

namespace heddle::symbolic {

struct ThreadIndex {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(ThreadIndex, ThreadIndex) = default;
};
struct LocationId {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(LocationId, LocationId) = default;
};

using Address = std::uint64_t;
inline constexpr unsigned kAddressBits = 64;
[[nodiscard]] constexpr Address address_of(std::uint32_t object, std::uint32_t offset = 0, std::uint8_t shadow = 0) {
  return (Address{shadow} << 56U) | (Address{object} << 32U) | offset;
}
[[nodiscard]] constexpr std::uint32_t object_of(Address address) {
  return static_cast<std::uint32_t>(address >> 32U) & 0xFFFFFFU;
}
[[nodiscard]] constexpr std::uint8_t shadow_of(Address address) { return static_cast<std::uint8_t>(address >> 56U); }
[[nodiscard]] constexpr std::uint32_t offset_of(Address address) { return static_cast<std::uint32_t>(address); }

// Who else may see an access: nobody; or others, and then it may be part of a data race (Plain), unless both are atomic
// or both are plain ones inside atomic sections.
enum class Sharing : std::uint8_t { Private, Plain, Atomic, Section };
[[nodiscard]] constexpr bool may_race(Sharing a, Sharing b) { return a == Sharing::Plain || a != b; }

// Index into Automata::failures; kUnchecked where an access needs no check.
using FailureId = std::uint32_t;
inline constexpr FailureId kUnchecked = ~FailureId{0};

struct Load {
  Term temporary;  // a variable of this transition alone
  Term address;
  unsigned width = 32;
  Sharing sharing = Sharing::Atomic;
  FailureId invalid = kUnchecked;  // what it means if the address is not that of a living object
};
struct Store {
  Term address;
  Term value;
  Sharing sharing = Sharing::Atomic;
  FailureId invalid = kUnchecked;
};
struct Assume {
  Term condition;
};
struct Check {
  Term condition;
  FailureId failure = 0;
};
// A value chosen freely, anew each time.
struct Choose {
  Term temporary;
  std::string input = {};  // where it comes from, if it is an input of the program: "__VERIFIER_nondet_int at a.c:3"
};
// Which values may be chosen: there is always one. Unlike an assumption it says nothing about whether the transition is
// enabled.
struct Restrict {
  Term condition;
};
struct Assignment {
  Term variable;
  Term value;
};
// Starts another thread at one of its locations.
struct Spawn {
  ThreadIndex thread;
  LocationId entry;
  std::vector<Assignment> arguments;
};
// A step of the schedule that the native engine takes here; the outcome is a term over the transition's variables.
struct ScheduledEvent {
  Term outcome;
};
using Action = std::variant<Load, Store, Assume, Check, Choose, Restrict, Spawn, ScheduledEvent>;

struct Transition {
  LocationId target;
  std::vector<Action> actions;
  std::vector<Assignment> updates;
  std::string label;  // for people
};

enum class LocationKind : std::uint8_t {
  Running,
  Finished,
  Returned,  // finished, and the process with it: whoever is blocked now is not in a deadlock
};

struct Object {
  std::string name;
  std::uint32_t size = 0;  // bytes
  bool mortal = false;     // may be freed: the byte at offset 0 of shadow kAliveShadow is 1 while it lives
  bool writable = true;
  bool foreign = false;  // of a library: what it holds is not known
  // Of a variable on a thread's stack: the byte at this address is 0 as long as the thread has not ended. 0: it stays.
  Address ended = 0;
};
inline constexpr std::uint8_t kAliveShadow = 1;

// What a check that fails means. Unsupported: not a defect of the program, but more than is modelled.
struct Failure {
  FindingKind kind = FindingKind::Assertion;
  std::string message;
  std::string file;
  int line = 0;
  std::string function;
  bool unsupported = false;
  bool abandons = false;  // an assumption of the program: where it does not hold, the execution does not count
};

class Automata {
 public:
  virtual ~Automata() = default;
  // Thread 0 starts by itself, at location 0; the others when they are spawned, or at `initial` locations.
  [[nodiscard]] virtual std::size_t thread_count() const = 0;
  [[nodiscard]] virtual std::string thread_name(ThreadIndex thread) const = 0;
  [[nodiscard]] virtual bool starts_by_itself(ThreadIndex thread) const = 0;
  // The reference holds until the next call. May add threads, objects and failures.
  [[nodiscard]] virtual const std::vector<Transition>& transitions(ThreadIndex thread, LocationId location) = 0;
  [[nodiscard]] virtual LocationKind kind(ThreadIndex thread, LocationId location) const = 0;
  // Null for an object that does not exist.
  [[nodiscard]] virtual const Object* object(std::uint32_t id) const = 0;
  [[nodiscard]] virtual const Failure& failure(FailureId id) const = 0;
  // The byte at an address before anything was stored there.
  [[nodiscard]] virtual Term initial_byte(Address address) = 0;
  // The value of a variable of a thread before anything was assigned.
  [[nodiscard]] virtual Term initial_value(Term variable) = 0;
  [[nodiscard]] virtual TermPool& pool() = 0;
};

}  // namespace heddle::symbolic
