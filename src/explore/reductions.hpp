// The reductions by name.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "explore/bounded/hb_search.hpp"
#include "explore/engine.hpp"
#include "explore/stateless/persistent.hpp"
#include "explore/stateless/thread_order.hpp"
#include "explore/static_sets.hpp"

namespace heddle {

// X(name, text on the command line)
#define HEDDLE_REDUCTIONS(X)  \
  X(None, "none")             \
  X(Sleep, "sleep")           \
  X(Persistent, "persistent") \
  X(Static, "static")         \
  X(Source, "source")         \
  X(Optimal, "optimal")

enum class ReductionKind : std::uint8_t {
#define HEDDLE_X(name, text) name,
  HEDDLE_REDUCTIONS(HEDDLE_X)
#undef HEDDLE_X
};

inline constexpr std::array kReductionNames{
#define HEDDLE_X(name, text) std::string_view{text},
    HEDDLE_REDUCTIONS(HEDDLE_X)
#undef HEDDLE_X
};

[[nodiscard]] constexpr std::string_view text(ReductionKind kind) noexcept {
  return kReductionNames[static_cast<std::size_t>(kind)];
}

struct ReductionChoice {
  ReductionKind kind = ReductionKind::Optimal;
  ThreadOrder order = ThreadOrder::Lowest;
  PersistentOptions persistent;            // of Static: whether there are sleep sets, and the form if it is dynamic too
  bool dynamic = false;                    // static sets refined dynamically
  const StaticKnowledge* known = nullptr;  // of Static; outlives the search
};

[[nodiscard]] std::optional<ReductionKind> reduction_from_text(std::string_view text);

// Whether the search runs no two equivalent executions to their end.
[[nodiscard]] bool runs_each_trace_once(const ReductionChoice& choice);

// `self_check`: the search compares what it does with the definitions, race by race.
[[nodiscard]] std::unique_ptr<Reduction> make_reduction(const ReductionChoice& choice, bool self_check = false);

// Searches with a bound on preemptions.
// X(name, text on the command line)
#define HEDDLE_BOUND_KINDS(X) \
  X(Plain, "none")            \
  X(AllStates, "1")           \
  X(Terminals, "2")

enum class BoundKind : std::uint8_t {
#define HEDDLE_X(name, text) name,
  HEDDLE_BOUND_KINDS(HEDDLE_X)
#undef HEDDLE_X
};

[[nodiscard]] constexpr std::string_view text(BoundKind kind) noexcept {
  constexpr std::array texts{
#define HEDDLE_X(name, text) std::string_view{text},
      HEDDLE_BOUND_KINDS(HEDDLE_X)
#undef HEDDLE_X
  };
  return texts[static_cast<std::size_t>(kind)];
}

struct BoundChoice {
  BoundKind kind = BoundKind::Terminals;
  BoundRange bounds;
  std::uint64_t most_states = kMostHbStates;
};

// `exact`: states are compared in full where their hashes are equal. Plain search takes the last bound only.
[[nodiscard]] std::unique_ptr<Reduction> make_bounded(const BoundChoice& choice, ThreadOrder order, bool exact);

}  // namespace heddle
