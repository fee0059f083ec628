#include "program/native/undo_log.hpp"

#include <vector>

#include "base/contract.hpp"

namespace heddle::native {

constinit UndoLog undo_log;

namespace {

constexpr std::size_t kRoom = std::size_t{1} << 21U;  // words; memory is committed as it is used
constexpr std::uint32_t kLastStep = 0xF000'0000;

struct Saved {
  std::uint64_t* begin = nullptr;
  std::vector<std::uint64_t*> steps;  // where the part of each step begins
};
Saved saved;

}  // namespace

bool undo_log_reset() {
  if (saved.begin == nullptr) saved.begin = new std::uint64_t[kRoom];
  undo_log.end = saved.begin;
  undo_log.limit = saved.begin + kRoom;
  saved.steps.clear();
  undo_log.state = UndoLog::State::Blank;
  const bool again = undo_log.step >= kLastStep;
  undo_log.step = again ? 1 : undo_log.step + 1;
  return again;
}

void undo_log_step() {
  if (undo_log.state == UndoLog::State::Blank) undo_log.state = UndoLog::State::Saving;
  ++undo_log.step;
  HEDDLE_REQUIRE(undo_log.step != 0, "an execution of thousands of millions of steps");
  if (undo_log.state == UndoLog::State::Saving) saved.steps.push_back(undo_log.end);
}

void undo_log_rewind(std::size_t depth) noexcept {
  HEDDLE_REQUIRE(can_go_back() && depth < saved.steps.size(), "going back to where the search has not been");
  const std::uint64_t* until = saved.steps[depth];
  std::uint64_t* end = undo_log.end;
  while (end != until) {
    const std::uint64_t header = *--end;
    const std::uint64_t count = header >> 48U;
    auto* words = reinterpret_cast<std::uint64_t*>(header & 0xFFFF'FFFF'FFFFU);
    end -= count;
    copy_words(words, end, count);
  }
  undo_log.end = end;
  saved.steps.resize(depth);
  ++undo_log.step;  // nothing counts as saved in a step that is undone
  if (undo_log.step >= kLastStep) undo_log_give_up();
}

void undo_log_give_up() noexcept { undo_log.state = UndoLog::State::GivenUp; }

}  // namespace heddle::native
