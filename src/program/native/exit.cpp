#include "program/native/exit.hpp"

#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "program/native/cancellation.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/section.hpp"
#include "program/native/start.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/thread_end.hpp"

namespace heddle::native {
namespace {

using Function = void (*)();

// Functions of the program marked as destructors.
struct ProgramDestructors {
  Function* functions = nullptr;
  std::size_t count = 0;
};
ProgramDestructors destructors;

int find_destructors(dl_phdr_info* info, std::size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    for (const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
         entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_FINI_ARRAY) {
        destructors.functions = reinterpret_cast<Function*>(info->dlpi_addr + entry->d_un.d_ptr);
      }
      if (entry->d_tag == DT_FINI_ARRAYSZ) destructors.count = entry->d_un.d_val / sizeof(Function);
    }
  }
  return 1;  // the first object is the program itself
}

// Runs after every exit handler and destructor of the program, on main's fibre.
void last_exit_handler() {
  if (!rt.inside) {
    end_on_the_way();
    return;
  }
  // The first one is the compiler's own, which would only undo the registration of the program's objects.
  for (std::size_t k = destructors.count; k-- > 1;) destructors.functions[k]();
  if (rt.recording || rt.settings.show_output) {
    OutsideProgram outside;
    *rt.selector = 1;  // so that what is flushed is kept for the report
    std::fflush(stdout);
  }
  if (rt.closing) exit_handlers_end();
  rt.exited = true;
  finish_thread();
}

// What the last step of the last thread has been without exit handlers.
Event last_event;

// With libc's list of handlers, of which ours is the last.
[[noreturn]] void leave_process(int status) {
  const auto leave = HEDDLE_REAL(exit);
  clear_before_call();
  leave(status);
  __builtin_unreachable();
}

void note_early_return() {
  for (std::size_t i = 1; i < rt.thread_count; ++i) {
    if ((*rt.states)[i].phase == ThreadPhase::Pending) rt.main_returned_early = true;
  }
}

}  // namespace

void exit_in_the_middle(const char* function, int status, std::uint64_t site) {
  const bool abort = status < 0;
  fail(FindingKind::AbnormalExit,
       std::string("the program is ended by ") + function + (abort ? "()" : "(" + std::to_string(status) + ")") +
           " in the middle of the execution",
       site);
}

void end_of_last_thread() {
  Fibre& fibre = *rt.current;
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    if ((*rt.states)[i].phase == ThreadPhase::Finished) acquire_thread(fibre, *rt.fibres[i]);
  }
  rt.main_returned = rt.closing = true;
  rt.held_at_exit = fibre.held.size();
  if (cancel_due(fibre)) change_process_objects().cancellation.threads[fibre.id.value].disabled = true;
  last_event = rt.event;
  // From one operation straight to the next, as in an atomic section.
  fibre.atomic_depth = 1;
  ++rt.open_sections;
  leave_process(0);
}

Outcome outcome_at_exit(const Fibre& fibre) {
  const Operation& pending = fibre.state->pending;
  const Outcomes outcomes = outcomes_of(fibre, pending, true);
  if (outcomes.count == 0) {
    fail(FindingKind::Deadlock, "an exit handler waits, and all threads have ended", pending.site);
  }
  if (pending.kind == OpKind::ThreadCreate || (pending.kind == OpKind::Choose && outcomes.count > 1)) {
    refuse(Refusal::Unsupported,
           "an exit handler creates a thread or makes a choice after main was left by pthread_exit: "
           "that is not modelled");
  }
  return outcomes.first;
}

void refuse_at_exit() {
  refuse(Refusal::Unsupported,
         "an exit handler names a thread, or uses a mutex that its thread held when it ended, after main was left by "
         "pthread_exit: what comes of it depends on which thread ended last, which is not modelled");
}

void exit_handlers_end() {
  rt.closing = false;
  rt.event = last_event;
  abandon_section();
}

void end_of_function() {
  rt.main_returned = true;
  note_early_return();
  run_tls_destructors(*rt.current);
  rt.exited = true;
  finish_thread();
}

void end_of_main(int status, std::uint64_t site) {
  Fibre& fibre = *rt.current;
  if (fibre.id != kMainThread || rt.exploring_function) exit_in_the_middle("exit", status, site);
  if (rt.main_returned) exit_in_the_middle("exit, called by an exit handler,", status, site);
  rt.main_returned = true;
  rt.exit_status = status;
  note_early_return();
  run_tls_destructors(fibre);
  leave_process(status);
}

void find_program_destructors() { ::dl_iterate_phdr(find_destructors, nullptr); }

void register_last_exit_handler() {
  using Register = int (*)(void (*)(void*), void*, void*);
  reinterpret_cast<Register>(::dlsym(RTLD_DEFAULT, "__cxa_atexit"))([](void*) { last_exit_handler(); }, nullptr,
                                                                    nullptr);
}

}  // namespace heddle::native

// The runtime's own objects live as long as the process: exit runs once per execution, and must not destroy them. The
// linker diverts their registration here (--wrap).
extern "C" __attribute__((visibility("hidden"))) int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }
