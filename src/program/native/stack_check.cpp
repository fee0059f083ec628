#include "program/native/stack_check.hpp"

#include <string>

#include "program/native/layout.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {

void stack_check(std::uint64_t address, bool write, std::uint64_t site) {
  const std::uint64_t owner = (address - kStacks) / kStackSlot;
  if (owner == rt.current->id.value || owner >= rt.thread_count) return;
  const Fibre& fibre = *rt.fibres[owner];
  const char* gone = nullptr;
  if (fibre.state->phase == ThreadPhase::Finished) {
    // The process's first thread has a stack that stays; programs count on it when main ends by pthread_exit.
    if (fibre.id != kMainThread) gone = " the stack of a thread that has ended";
  } else if (fibre.state->phase == ThreadPhase::Pending &&
             address < reinterpret_cast<std::uint64_t>(fibre.stack_pointer)) {
    gone = " a variable of a function that has returned, on another thread's stack";
  }
  if (gone == nullptr) return;
  rt.fault_address = address;
  fail(FindingKind::UseAfterFree, std::string(write ? "write to" : "read of") + gone, site);
}

}  // namespace heddle::native
