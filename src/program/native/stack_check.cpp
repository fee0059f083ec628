#include "program/native/stack_check.hpp"

#include <string>

#include "program/native/layout.hpp"
#include "program/native/private_stacks.hpp"
#include "program/native/race_check.hpp"
#include "program/native/runtime.hpp"
#include "program/native/shared_stacks.hpp"

namespace heddle::native {

// The process's first thread has a stack that stays; programs count on it when main ends by pthread_exit.
std::optional<ThreadId> stack_owner(std::uint64_t address) {
  const std::uint64_t owner = (address - kStacks) / kStackSlot;
  if (owner >= kMaxThreads || owner == kMainThread.value) return std::nullopt;
  return ThreadId{static_cast<std::uint16_t>(owner)};
}

void stack_check(std::uint64_t address, bool write, std::uint64_t site) {
  const std::uint64_t owner = (address - kStacks) / kStackSlot;
  if (owner == rt.current->id.value || owner >= rt.thread_count) return;
  const Fibre& fibre = *rt.fibres[owner];
  note_stack_access(*rt.current, address);
  if (rt.settings.ends_depend) learn_stack_access(address);
  const char* gone = nullptr;
  if (fibre.state->phase == ThreadPhase::Finished) {
    if (fibre.id != kMainThread) gone = " the stack of a thread that has ended";
  } else if (fibre.state->phase == ThreadPhase::Pending && !fibre.stuck &&  // where its stack ends is then not known
             address < reinterpret_cast<std::uint64_t>(fibre.stack_pointer)) {
    gone = " a variable of a function that has returned, on another thread's stack";
  }
  if (gone == nullptr) return;
  rt.fault_address = address;
  fail(FindingKind::UseAfterFree, std::string(write ? "write to" : "read of") + gone, site);
}

void stack_ends() {
  const Fibre& fibre = *rt.current;
  if (fibre.id == kMainThread) return;
  // Not in what is shown to people: there it would say that the end came after whatever happened before.
  if (rt.settings.ends_depend && !rt.recording && stack_is_shared(fibre.id)) rt.event.total = true;
  const std::uint64_t from = shared_from(fibre.id);
  if (from == kNotShared) return;
  const std::uint64_t racing = unordered_access(from, fibre.stack_high - from);
  if (racing == 0) return;
  rt.fault_address = racing;
  fail(FindingKind::UseAfterFree,
       "a thread ends while another thread's access to its stack is not ordered before: it may come after the end",
       fibre.create_site);
}

}  // namespace heddle::native
