#include "program/native/real.hpp"

#include <dlfcn.h>

#include "program/native/checkpoint_buffer.hpp"
#include "program/native/snapshot.hpp"

namespace heddle::native {
namespace {

void* look_up(const char* name, const char* version) {
  void* found = version != nullptr ? ::dlvsym(RTLD_NEXT, name, version) : nullptr;
  return found != nullptr ? found : ::dlsym(RTLD_NEXT, name);
}

}  // namespace

// It may allocate, which is not the program's doing. The dynamic linker counts what it looks up, in memory that is the
// program's: states before and after would differ, though only the first time.
void* find_real(const char* name, const char* version) {
  OutsideProgram outside;
  if (!rt.settings.stateful || !rt.controlled) return look_up(name, version);
  CheckpointBuffer before;
  before.clear(room_for_pages());
  save_changed_chunks(before);
  void* found = look_up(name, version);
  CheckpointReader reader(before);
  restore_changed_chunks(reader);
  return found;
}

}  // namespace heddle::native
