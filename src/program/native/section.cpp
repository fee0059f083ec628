#include "program/native/section.hpp"

#include <vector>

#include "program/native/runtime.hpp"
#include "program/native/sync_clocks.hpp"

namespace heddle::native {
namespace {

// What sections synchronise through, one after the other: an address that no program has.
constexpr std::uint64_t kAtomicSections = 0xFFFF'4000'0000'0000;

struct SectionStep {
  bool any = false;     // the step is a section
  bool begins = false;  // its event under way is that of heddle_atomic_begin, which accesses nothing
  bool total = false;   // some event of it depends on everything
  Event first;
  std::vector<ObjectAccess> accesses;
};
SectionStep step;

void start_section_step() {
  if (step.any) return;
  step.any = true;
  step.first = rt.event;
  // No other thread accesses a thread as such while it runs: a section without operations has an access, too.
  step.accesses.push_back(
      {detail::object_key(static_cast<std::uint64_t>(ObjectClass::Thread), rt.event.thread.value), 1, Mode::Read});
}

void note_event() {
  if (!step.begins) {
    step.total = step.total || is_total(rt.event);
    visit_accesses(rt.event, [](const ObjectAccess& access) { step.accesses.push_back(access); });
  }
  step.begins = false;
}

}  // namespace

// The beginning is an operation on everything; what follows belongs to its step.
void enter_section(std::uint64_t site) {
  Fibre& fibre = *rt.current;
  if (fibre.atomic_depth > 0) {
    ++fibre.atomic_depth;
    return;
  }
  reach({.kind = OpKind::Unknown, .site = site});
  fibre.atomic_depth = 1;
  rt.atomic_owner = &fibre;
  ++rt.open_sections;
  acquire(fibre, kAtomicSections);
  if (!rt.settings.stateful) return;
  start_section_step();
  step.begins = rt.mixed_step = true;
}

void leave_section() {
  Fibre& fibre = *rt.current;
  if (fibre.atomic_depth > 1) {
    --fibre.atomic_depth;
    return;
  }
  abandon_section();
  release(fibre, kAtomicSections);
}

void close_section() {
  Fibre& fibre = *rt.current;
  if (fibre.atomic_depth == 0) return;
  abandon_section();
  release(fibre, kAtomicSections);
}

void abandon_section() {
  Fibre& fibre = *rt.current;
  if (fibre.atomic_depth == 0) return;
  fibre.atomic_depth = 0;
  --rt.open_sections;
  if (rt.atomic_owner == &fibre) rt.atomic_owner = nullptr;
}

void section_reset() {
  step.any = step.begins = step.total = false;
  step.accesses.clear();
}

void section_goes_on() {
  start_section_step();
  note_event();
}

void section_ends_step() {
  if (!step.any) return;
  note_event();
  rt.event = step.first;
  rt.event.total = step.total;
}

std::span<const ObjectAccess> section_accesses() noexcept { return step.accesses; }

}  // namespace heddle::native
