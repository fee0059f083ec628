// Findings: what a search tells the user about the program, and the verdict over the whole search.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"

namespace heddle {

// X(name, text in results)
#define HEDDLE_FINDING_KINDS(X)              \
  X(Assertion, "assertion")                  \
  X(Deadlock, "deadlock")                    \
  X(DataRace, "data-race")                   \
  X(Crash, "crash")                          \
  X(UncaughtException, "uncaught-exception") \
  X(AbnormalExit, "abnormal-exit")           \
  X(UseAfterFree, "use-after-free")          \
  X(DoubleFree, "double-free")               \
  X(OutOfBounds, "out-of-bounds")            \
  X(Leak, "leak")                            \
  X(LockMisuse, "lock-misuse")               \
  X(Livelock, "livelock")                    \
  X(NoProgress, "no-progress")               \
  X(Nondeterminism, "nondeterminism")

enum class FindingKind : std::uint8_t {
#define HEDDLE_X(name, text) name,
  HEDDLE_FINDING_KINDS(HEDDLE_X)
#undef HEDDLE_X
};

[[nodiscard]] constexpr std::string_view text(FindingKind kind) noexcept {
  constexpr std::array texts{
#define HEDDLE_X(name, text) std::string_view{text},
      HEDDLE_FINDING_KINDS(HEDDLE_X)
#undef HEDDLE_X
  };
  return texts[static_cast<std::size_t>(kind)];
}

// What a back-end says when an execution fails. The schedule and the events are added by whoever drives it.
struct Finding {
  FindingKind kind = FindingKind::Assertion;
  std::string message;       // one sentence
  ThreadId thread;           // the thread that failed, or one of them
  std::uint64_t memory = 0;  // address the finding is about, 0 if it is not about memory
  std::uint64_t key = 0;     // equal for two sightings of one defect (kind and program sites, never data addresses)
  std::uint64_t loop = 0;    // livelock: how many steps at the end of the schedule repeat for ever
};

enum class Verdict : std::uint8_t { Verified, Bug, Incomplete, Unsupported };

[[nodiscard]] constexpr std::string_view text(Verdict verdict) noexcept {
  constexpr std::array<std::string_view, 4> texts{"verified", "bug", "incomplete", "unsupported"};
  return texts[static_cast<std::size_t>(verdict)];
}

}  // namespace heddle
