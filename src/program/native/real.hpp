// The functions we stand in front of: the next definition in the link order, which is libc's (or libstdc++'s).
#pragma once

#include <dlfcn.h>

// dlsym prefers an old version of the condition variable functions; those that matter are asked for by version.
#define HEDDLE_REAL_VERSION(name, version)                                                               \
  ([] {                                                                                                  \
    static constinit decltype(&::name) real_function = nullptr;                                               \
    if (real_function == nullptr) {                                                                         \
      void* found = ::dlvsym(RTLD_NEXT, #name, version);                                                 \
      if (found == nullptr) found = ::dlsym(RTLD_NEXT, #name);                                           \
      real_function = reinterpret_cast<decltype(&::name)>(found);                                             \
    }                                                                                                    \
    return real_function;                                                                                  \
  }())

#define HEDDLE_REAL(name)                                                                                \
  ([] {                                                                                                  \
    static constinit decltype(&::name) real_function = nullptr;                                               \
    if (real_function == nullptr) real_function = reinterpret_cast<decltype(&::name)>(::dlsym(RTLD_NEXT, #name)); \
    return real_function;                                                                                  \
  }())

// Marks a function that the program calls instead of libc's.
#define HEDDLE_INTERCEPT extern "C" __attribute__((visibility("default")))
