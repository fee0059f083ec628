// Persistent sets from what a static analysis knows (the "Static POR" of Flanagan & Godefroid 2005, section 5).
//
// The story. Let P be some threads of a state, one of them enabled, such that no thread outside P may, now or later,
// touch an object in a way that depends on the next operation of a thread in P, whether that one is enabled or not.
// Then the enabled operations of P are a persistent set. For take any steps from here that are not among them. If the
// first of these by a thread of P is of one that is disabled here, somebody outside P has enabled it, by a step that
// its next operation depends on: there is no such step. So all of them are by threads outside P, and what these may
// ever do depends on none of P's next operations. (Outcomes are no exception: a step that changes which outcomes an
// operation has is one that it depends on.)
//
// Such a P is found by closing a set of one enabled thread (the conflicting transitions of Godefroid): whoever may
// conflict joins. The closure is tried from each enabled thread, and that with the fewest choices is taken. Where
// nothing is known, everybody joins, and the set is that of all enabled threads.
//
// What needs care:
//   threads to come   are in no P; what they may do counts as their creator's (static_table.hpp)
//   creation          depends on steps of the new thread only: of which there are none before it
//   join              depends on every step of the thread it waits for, which therefore joins P; one outside P that
//                     waits for a thread in P takes no step as long as P takes none, and is left out
//   locks             whoever holds one is the only one to release it: a release conflicts with calls that do not wait,
//                     and an acquisition that is enabled with no release by another thread
//   time limits       what can happen because nobody else can run depends on everybody
//
// The search from a persistent set in each state runs into every maximal trace of a program whose executions end, with
// and without sleep sets (docs/soundness.md, which also has cycles of states).
#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "model/static_table.hpp"
#include "program/program.hpp"

namespace heddle {

// A table, and how to find a thread's location in it. Where nothing is known of it: kUnknownLocation.
struct StaticKnowledge {
  StaticTable table;
  std::function<std::uint32_t(ThreadId, const Operation&)> locate;
  bool visible_all = false;  // plain accesses are operations
};

class StaticSets {
 public:
  explicit StaticSets(const StaticKnowledge& known);

  // The threads of a persistent set that are enabled in the program's state; some, if any is enabled. Valid until the
  // next call.
  const ThreadSet& find(const Program& program);

  // After a step from the state last looked at: whether what its thread (and one it created) may do now was foreseen.
  // It is the analysis's promise, looked at where it costs nothing; a broken one ends the search.
  void check_step(const Program& program, const Event& event);
  // The next step is from another state than the one last looked at.
  void forget_state() noexcept { looked_ = false; }

 private:
  using Accesses = std::vector<std::uint64_t>;  // set of access numbers

  [[nodiscard]] Accesses set_of(const std::vector<std::uint32_t>& numbers) const;
  [[nodiscard]] const Accesses& later(std::uint32_t location) const { return later_[location]; }
  // What conflicts with the next operation of a thread at a location.
  const Accesses& conflicting(std::uint32_t location, const Operation& next, bool enabled);
  [[nodiscard]] bool foreseen(std::uint32_t location, const Operation& next) const;
  void look(const Program& program);
  [[nodiscard]] bool may_conflict(const Program& program, std::size_t member, std::size_t other);
  [[nodiscard]] bool waits_for_member(const Program& program, std::size_t thread, const ThreadSet& members) const;
  void close(const Program& program, ThreadSet& members);

  const StaticKnowledge& known_;
  std::vector<Accesses> later_;  // by location
  Accesses everything_;
  Accesses any_;       // those to everything: whoever foresees one of them foresees whatever comes
  Accesses sleeping_;  // those to what threads sleep on
  std::map<std::tuple<std::uint32_t, OpKind, bool>, Accesses> conflicting_;
  // Of the state last looked at.
  std::vector<std::uint32_t> locations_;
  std::vector<bool> pending_;
  bool looked_ = false;
  ThreadSet found_;
};

}  // namespace heddle
