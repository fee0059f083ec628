// The choice sequence: all nondeterminism of an execution, in order. It is the schedule that is replayed, stored and
// shown. A choice names a thread and, where its operation has several outcomes, the one taken.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"

namespace heddle {

struct Choice {
  ThreadId thread;
  Outcome outcome = 0;
  friend constexpr bool operator==(Choice, Choice) = default;
};

// A choice put together in a register. Read back as a whole, what was written to memory piece by piece is slow to come.
[[nodiscard]] inline Choice whole_choice(ThreadId thread, Outcome outcome) noexcept {
  static_assert(sizeof(Choice) == 8 && offsetof(Choice, outcome) == 4 && std::endian::native == std::endian::little);
  return std::bit_cast<Choice>(thread.value | (std::uint64_t{outcome} << 32U));
}

// A choice or none, in a register, for what is asked at every step: an std::optional is returned by way of memory, put
// together there piece by piece and read back as a whole.
class MaybeChoice {
 public:
  MaybeChoice(std::nullopt_t /*none*/) noexcept {}
  MaybeChoice(Choice choice) noexcept : bits_(choice.thread.value | kThere | (std::uint64_t{choice.outcome} << 32U)) {}
  MaybeChoice(std::optional<Choice> choice) noexcept : MaybeChoice(choice ? MaybeChoice(*choice) : std::nullopt) {}

  explicit operator bool() const noexcept { return (bits_ & kThere) != 0; }
  [[nodiscard]] Choice operator*() const noexcept {
    return whole_choice(ThreadId{static_cast<std::uint16_t>(bits_)}, static_cast<Outcome>(bits_ >> 32U));
  }

 private:
  static constexpr std::uint64_t kThere = 1U << 16U;  // between thread and outcome
  std::uint64_t bits_ = 0;
};

// A choice together with the digest of the operation it was made for, so that a replay notices a program that now asks
// another question.
struct PlannedChoice {
  Choice choice;
  std::uint32_t digest = 0;
};

// A thread's name outside one search: its path in the creation tree. `main` is "0", the second thread created by main
// is "0.2", the first thread created by that one "0.2.1". Names do not depend on the schedule.
using ThreadPath = std::string;

// One step of a schedule in its text form.
struct NamedChoice {
  ThreadPath thread;
  Outcome outcome = 0;
  friend bool operator==(const NamedChoice&, const NamedChoice&) = default;
};

// Text form: steps separated by blanks, "path", "path!outcome" when the outcome is not 0, "*n" behind a step that is
// taken n times in a row. Example: "0*2 0.1 0.2!1*3 0".
[[nodiscard]] std::string to_text(const std::vector<NamedChoice>& schedule);
// Nothing if the text is not of that form.
[[nodiscard]] std::optional<std::vector<NamedChoice>> schedule_from_text(std::string_view text);

}  // namespace heddle
