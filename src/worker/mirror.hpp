// A decorator over any program: keeps the schedule being executed on the board, so that it survives the process.
#pragma once

#include <algorithm>
#include <vector>

#include "base/archive.hpp"
#include "program/recheck.hpp"
#include "worker/board.hpp"

namespace heddle {

class Mirror final : public Program, private Driver {
 public:
  Mirror(Recheck& inner, Board& board) : inner_(inner), board_(board) {}

  void restart() override {
    board_.length = 0;
    if (!explaining_) revised_ = false;
    inner_.restart();
  }
  [[nodiscard]] const Program& undecorated() const override { return inner_.undecorated(); }
  [[nodiscard]] std::size_t thread_count() const override { return inner_.thread_count(); }
  [[nodiscard]] const ThreadState& thread(ThreadId thread) const override { return inner_.thread(thread); }
  [[nodiscard]] const ThreadSet& enabled() const override { return inner_.enabled(); }
  [[nodiscard]] ProgramPhase phase() const override { return revised_ ? ProgramPhase::Revised : inner_.phase(); }
  const Event& step(Choice choice) override {
    note(choice);
    const Event& event = inner_.step(choice);
    if (explaining_) note_revision();
    return event;
  }
  const Event* drive(Choice choice, Driver& driver) override {
    driver_ = &driver;
    note(choice);
    const Event* event = inner_.drive(choice, *this);
    if (explaining_) note_revision();
    return event;
  }
  std::size_t run(std::span<const PlannedChoice> prefix) override {
    write(prefix);
    if (!explaining_ && !prefix.empty()) note_return(prefix.size());
    const std::size_t performed = inner_.run(prefix);
    if (explaining_) note_revision();
    return performed;
  }
  std::size_t rerun(std::span<const PlannedChoice> prefix, std::size_t same) override {
    const std::uint32_t written = board_.length;
    board_.length = std::min(static_cast<std::uint32_t>(same), written);
    write(prefix.subspan(board_.length));
    if (!prefix.empty()) note_return(prefix.size());
    return inner_.rerun(prefix, same);
  }
  [[nodiscard]] const Finding* raised() const override { return inner_.raised(); }
  [[nodiscard]] bool abandoned() const override { return inner_.abandoned(); }
  [[nodiscard]] std::optional<ThreadId> goes_with(std::uint64_t address) const override {
    return inner_.goes_with(address);
  }
  [[nodiscard]] std::optional<Finding> conclude() override { return inner_.conclude(); }
  [[nodiscard]] ThreadPath path(ThreadId thread) const override { return inner_.path(thread); }
  [[nodiscard]] std::optional<ThreadId> find(const ThreadPath& path) const override { return inner_.find(path); }

  // How often the search went back to a depth; the last counts all below.
  [[nodiscard]] const std::vector<std::uint64_t>& returns() const { return returns_; }

  void archive(Archive& archive) { archive(returns_); }

  // What runs in between is to explain a finding and none of the search. If the program is then found to be in need of
  // being run otherwise, it says so until the search begins anew: the search must not miss it.
  void explain(bool explaining) { explaining_ = explaining; }

 private:
  static Board::Step on_board(Choice choice) {
    return {choice.thread.value, static_cast<std::uint16_t>(choice.outcome)};
  }

  void write(std::span<const PlannedChoice> choices) {
    std::uint32_t at = board_.length;
    const std::size_t room = std::min<std::size_t>(choices.size(), Board::kScheduleRoom - at);
    for (const PlannedChoice& planned : choices.first(room)) board_.schedule[at++] = on_board(planned.choice);
    board_.length = at;
  }

  bool next(const Event& event, Choice& choice) override {
    if (!driver_->next(event, choice)) return false;
    note(choice);
    return true;
  }
  [[nodiscard]] bool calculates() const override { return driver_->calculates(); }

  bool joins_next(const Event& event, const Operation& join) override {
    if (!driver_->joins_next(event, join)) return false;
    note({event.thread, 0});
    return true;
  }

  void note(Choice choice) {
    if (choice.thread.value >= named_) note_names();  // before a thread takes its first step
    const std::uint32_t at = board_.length;
    if (at < Board::kScheduleRoom) {
      board_.schedule[at] = on_board(choice);
      board_.length = at + 1;
    }
  }

  void note_revision() { revised_ = revised_ || inner_.phase() == ProgramPhase::Revised; }

  void note_return(std::size_t depth) {
    constexpr std::size_t kDeepest = 1000;
    const std::size_t at = std::min(depth, kDeepest);
    if (returns_.size() <= at) returns_.resize(at + 1);
    ++returns_[at];
  }

  void note_names() {
    for (; named_ < inner_.thread_count(); ++named_) {
      const ThreadPath path = inner_.path(ThreadId{static_cast<std::uint16_t>(named_)});
      path.copy(board_.threads[named_].path, sizeof(Board::Thread::path) - 1);
    }
  }

  Recheck& inner_;
  Board& board_;
  Driver* driver_ = nullptr;
  std::size_t named_ = 0;
  std::vector<std::uint64_t> returns_;
  bool explaining_ = false;
  bool revised_ = false;
};

}  // namespace heddle
