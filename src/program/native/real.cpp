#include "program/native/real.hpp"

#include <dlfcn.h>

#include <array>
#include <cstring>

#include "program/native/checkpoint_buffer.hpp"
#include "program/native/snapshot.hpp"

namespace heddle::native {
namespace {

void* look_up(const char* name, const char* version) {
  const OutsideProgram outside;
  void* found = version != nullptr ? ::dlvsym(RTLD_NEXT, name, version) : nullptr;
  return found != nullptr ? found : ::dlsym(RTLD_NEXT, name);
}

// The program's memory stays as it is, in a search over states: the dynamic linker counts what it looks up.
__attribute__((noinline)) void* look_up_unnoticed(const char* name, const char* version) {
  const OutsideProgram outside;
  CheckpointBuffer before;
  before.clear(room_for_pages());
  save_changed_chunks(before);
  void* found = look_up(name, version);
  CheckpointReader reader(before);
  restore_changed_chunks(reader);
  return found;
}

// What the calls before have left on the stack.
__attribute__((noinline)) void clear_dead_stack() {
  std::array<unsigned char, 8192> dead;
  std::memset(dead.data(), 0, dead.size());
  asm volatile("" : : "r"(dead.data()) : "memory");
}

}  // namespace

// It may allocate, which is not the program's doing. Since it happens the first time only, states before and after
// would differ.
void* find_real(const char* name, const char* version) {
  if (!rt.settings.stateful || !rt.controlled) return look_up(name, version);
  void* found = look_up_unnoticed(name, version);
  clear_dead_stack();
  return found;
}

}  // namespace heddle::native
