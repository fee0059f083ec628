// States of toy programs: kept as copies, described in a canonical form.
//
// Shared: memory and objects other than in their initial state, in the order of their numbers; which threads were
// created and woken. Local: the thread's place, its registers and the time-outs it has used up.
#include <algorithm>

#include "base/contract.hpp"
#include "program/toy/toy_program.hpp"

namespace heddle::toy {

StateHandle ToyProgram::save() {
  if (free_handles_.empty()) {
    free_handles_.push_back(kept_.size());
    kept_.emplace_back();
  }
  const std::size_t at = free_handles_.back();
  free_handles_.pop_back();
  kept_[at] = Kept{locals_, shared_, states_, enabled_, forced_, finding_, raised_, abandoned_};
  return static_cast<StateHandle>(at);
}

void ToyProgram::restore(StateHandle state) {
  const std::optional<Kept>& kept = kept_.at(static_cast<std::size_t>(state));
  HEDDLE_REQUIRE(kept.has_value(), "a state that was released is asked for");
  locals_ = kept->locals;
  shared_ = kept->shared;
  states_ = kept->states;
  enabled_ = kept->enabled;
  forced_ = kept->forced;
  finding_ = kept->finding;
  raised_ = kept->raised;
  abandoned_ = kept->abandoned;
}

void ToyProgram::release(StateHandle state) {
  const auto at = static_cast<std::size_t>(state);
  HEDDLE_REQUIRE(kept_.at(at).has_value(), "a state is released twice");
  kept_[at].reset();
  free_handles_.push_back(at);
}

std::uint64_t ToyProgram::kept_bytes() const {
  const std::uint64_t each = sizeof(Kept) + locals_.size() * (sizeof(Local) + sizeof(ThreadState));
  return (kept_.size() - free_handles_.size()) * each;
}

void ToyProgram::put(std::uint64_t value) {
  // Small numbers are most of a description: seven bits to a byte, the eighth says that more follow.
  while (value >= 0x80) {
    description_.push_back(static_cast<std::byte>(value | 0x80));
    value >>= 7U;
  }
  description_.push_back(static_cast<std::byte>(value));
}

void ToyProgram::describe_shared() {
  const auto put_signed = [&](std::int64_t value) {
    put((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
  };
  // Each list ends with a 0, which no entry begins with.
  const auto name = [&](std::uint32_t object) { put(std::uint64_t{object} + 1); };
  for (const auto& [object, value] : shared_.memory) {
    if (value == 0) continue;
    name(object);
    put_signed(value);
  }
  put(0);
  for (const auto& [object, owner] : shared_.mutex_owner) {
    name(object);
    put(owner);
  }
  put(0);
  for (const auto& [object, lock] : shared_.rwlocks) {
    if (!lock.writer && lock.readers.empty()) continue;
    std::vector<std::size_t> readers = lock.readers;
    std::sort(readers.begin(), readers.end());
    name(object);
    put(lock.writer ? *lock.writer + 1 : 0);
    put(readers.size());
    for (const std::size_t reader : readers) put(reader);
  }
  put(0);
  for (const auto& [object, value] : shared_.semaphores) {
    if (value == 0) continue;
    name(object);
    put_signed(value);
  }
  put(0);
  for (const auto& [object, barrier] : shared_.barriers) {
    if (barrier.arrived == 0) continue;
    name(object);
    put_signed(barrier.arrived);
  }
  put(0);
  put(shared_.spurious_used);
  put(abandoned_ ? 1 : 0);
  for (std::size_t t = 0; t < locals_.size(); ++t) {
    const Local& local = locals_[t];
    const bool in_barrier = local.in_second_half && instruction(t).code == Code::Barrier;
    // How often a barrier was passed is history; whether this thread's round is over is not.
    const bool passed = in_barrier && shared_.barriers.at(instruction(t).a).generation != local.barrier_generation;
    put((local.started ? 1U : 0U) | (local.signalled ? 2U : 0U) | (local.signalled && local.woken_alone ? 4U : 0U) |
        (passed ? 8U : 0U));
  }
}

// Registers are described if the thread may still look at them. Who has arrived at a barrier knows its result already.
void ToyProgram::describe_local(std::size_t thread) {
  const Local& local = locals_[thread];
  const bool arrived = local.in_second_half && instruction(thread).code == Code::Barrier;
  const unsigned result = arrived ? 1U << instruction(thread).reg : 0U;
  const unsigned used_registers = used_registers_[thread][local.next] | result;
  put((local.next << 3U) | (local.await.waiting() ? 4U : 0U) | (local.stopped ? 2U : 0U) |
      (local.in_second_half ? 1U : 0U));
  put(local.timeouts);
  for (std::size_t r = 0; r < kRegisters; ++r) {
    const bool used = (used_registers >> r & 1U) != 0;
    const std::int64_t value = used ? local.registers[r] : 0;
    put((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
  }
}

void ToyProgram::describe(std::vector<StatePart>& parts) {
  parts.clear();
  description_.clear();
  std::vector<std::size_t> ends;
  describe_shared();
  ends.push_back(description_.size());
  parts.push_back({StatePart::Kind::Shared, 0, 0, {}});
  for (std::size_t t = 0; t < locals_.size(); ++t) {
    if (!locals_[t].started) continue;
    describe_local(t);
    ends.push_back(description_.size());
    parts.push_back({StatePart::Kind::Local, static_cast<std::uint32_t>(t), 0, {}});
  }
  std::size_t begin = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].bytes = std::span(description_).subspan(begin, ends[i] - begin);
    begin = ends[i];
  }
}

}  // namespace heddle::toy
