// pthread_cleanup_push and pop as C code expands them.
#include <vector>

#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/thread_unwind.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

HEDDLE_INTERCEPT void heddle_register_cancel(void* buffer) __asm__("__pthread_register_cancel");
HEDDLE_INTERCEPT void heddle_unregister_cancel(void* buffer) __asm__("__pthread_unregister_cancel");
HEDDLE_INTERCEPT void heddle_unwind_next(void* buffer) __asm__("__pthread_unwind_next");

using CancelFunction = void (*)(void*);

void heddle_register_cancel(void* buffer) {
  if (rt.inside) {
    rt.current->cleanup_buffers.push_back(buffer);
  } else {
    HEDDLE_REAL_UNDECLARED(CancelFunction, "__pthread_register_cancel")(buffer);
  }
}

void heddle_unregister_cancel(void* buffer) {
  if (rt.inside) {
    std::erase(rt.current->cleanup_buffers, buffer);
  } else {
    HEDDLE_REAL_UNDECLARED(CancelFunction, "__pthread_unregister_cancel")(buffer);
  }
}

void heddle_unwind_next(void* buffer) {
  if (rt.inside) unwind_thread();
  HEDDLE_REAL_UNDECLARED(CancelFunction, "__pthread_unwind_next")(buffer);
}
