// Random small programs, one from each family and seed, the same on every machine.
//
// A family is a mix of fragments. Programs have two to four threads and some ten visible operations, so the oracle can
// enumerate most of them (it says where it cannot), and yet families differ in which part of a search they try.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "program/toy/toy_code.hpp"

namespace heddle::differential {

// X(name, text)
#define HEDDLE_FAMILIES(X)                                                                                 \
  X(ReadWrite, "rw")                                                                                       \
  X(Rmw, "rmw")                                                                                            \
  X(Lock, "lock")                                                                                          \
  X(NestedLocks, "nested-locks")                                                                           \
  X(TryLock, "try-lock")                                                                                   \
  X(Semaphore, "semaphore")                                                                                \
  X(RwLock, "rwlock")                                                                                      \
  X(NestedRwLock, "nested-rwlock")                                                                         \
  X(Condition, "condition")                                                                                \
  X(Barrier, "barrier")                                                                                    \
  X(Await, "await")                                                                                        \
  X(CreateJoin, "create-join")                                                                             \
  X(Choice, "choice")                                                                                      \
  X(Branch, "branch")                                                                                      \
  X(AssertAssume, "assert-assume")                                                                         \
  X(All, "all")                                                                                            \
  X(Power, "power") /* 4 threads, 3 variables, mostly writes, 8 to 200 traces: where subtle faults show */ \
  X(Spin, "spin")                                                                                          \
  X(Wide, "wide")   /* accesses that overlap in part, and what depends on everything */                    \
  X(Crowd, "crowd") /* more threads than a mask of those woken has bits; most have nothing to do */

enum class Family : std::uint8_t {
#define HEDDLE_X(name, text) name,
  HEDDLE_FAMILIES(HEDDLE_X)
#undef HEDDLE_X
};

inline constexpr std::array kFamilies{
#define HEDDLE_X(name, text) Family::name,
    HEDDLE_FAMILIES(HEDDLE_X)
#undef HEDDLE_X
};

[[nodiscard]] constexpr std::string_view text(Family family) noexcept {
  constexpr std::array texts{
#define HEDDLE_X(name, text) std::string_view{text},
      HEDDLE_FAMILIES(HEDDLE_X)
#undef HEDDLE_X
  };
  return texts[static_cast<std::size_t>(family)];
}

[[nodiscard]] std::optional<Family> family_from_text(std::string_view text);

struct GeneratorOptions {
  std::uint32_t visible_operations = 9;  // no fragment is begun beyond so many
};

[[nodiscard]] toy::ToyCode generate(Family family, std::uint64_t seed, GeneratorOptions options = {});

}  // namespace heddle::differential
