#include "program/native/real.hpp"

#include <dlfcn.h>

#include <array>
#include <cstring>

#include "program/native/checkpoint_buffer.hpp"
#include "program/native/snapshot.hpp"

namespace heddle::native {
namespace {

struct Symbol {
  void* where;  // RTLD_NEXT or RTLD_DEFAULT
  const char* name;
  const char* version;
};

void* look_up(const Symbol& symbol) {
  const OutsideProgram outside;
  void* found = symbol.version != nullptr ? ::dlvsym(symbol.where, symbol.name, symbol.version) : nullptr;
  return found != nullptr ? found : ::dlsym(symbol.where, symbol.name);
}

// The program's memory stays as it is, in a search over states: the dynamic linker counts what it looks up.
__attribute__((noinline)) void* look_up_unnoticed(const Symbol& symbol) {
  const OutsideProgram outside;
  CheckpointBuffer before;
  before.clear(room_for_pages());
  save_changed_chunks(before);
  void* found = look_up(symbol);
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

// It may allocate, which is not the program's doing. Since it happens the first time only, states before and after
// would differ.
void* find(const Symbol& symbol) {
  if (!rt.settings.stateful || !rt.controlled) return look_up(symbol);
  void* found = look_up_unnoticed(symbol);
  clear_dead_stack();
  return found;
}

}  // namespace

void* find_real(const char* name, const char* version) { return find({RTLD_NEXT, name, version}); }

void* find_first(const char* name) { return find({RTLD_DEFAULT, name, nullptr}); }

}  // namespace heddle::native
