// The functions we stand in front of: the next definition in the link order, which is libc's (or libstdc++'s).
#pragma once

#include "program/native/runtime.hpp"

namespace heddle::native {

// Looks a symbol up, of which the program notices nothing.
[[nodiscard]] void* find_real(const char* name, const char* version);
// The definition that the program uses: its own copy, for variables of a library that it names.
[[nodiscard]] void* find_first(const char* name);

}  // namespace heddle::native

// dlsym prefers an old version of the condition variable functions; those that matter are asked for by version.
#define HEDDLE_REAL_VERSION(name, version)                                                            \
  ([] {                                                                                               \
    static constinit decltype(&::name) real_function = nullptr;                                       \
    if (real_function == nullptr) {                                                                   \
      real_function = reinterpret_cast<decltype(&::name)>(heddle::native::find_real(#name, version)); \
    }                                                                                                 \
    return real_function;                                                                             \
  }())

#define HEDDLE_REAL(name) HEDDLE_REAL_VERSION(name, nullptr)

// The same for functions that no header declares, given their type.
#define HEDDLE_REAL_UNDECLARED(type, name) (reinterpret_cast<type>(heddle::native::find_real(name, nullptr)))

// Marks a function that the program calls instead of libc's.
#define HEDDLE_INTERCEPT extern "C" __attribute__((visibility("default")))
