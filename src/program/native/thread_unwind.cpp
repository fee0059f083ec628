#include "program/native/thread_unwind.hpp"

#include <pthread.h>
#include <unwind.h>

#include <csetjmp>
#include <new>

#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/thread_end.hpp"

namespace heddle::native {
namespace {

using ForcedUnwind = _Unwind_Reason_Code (*)(_Unwind_Exception*, _Unwind_Stop_Fn, void*);

// Called for every frame on the way out. The outermost is the fibre's entry: the thread ends there. C code's cleanup
// handlers are passed through buffers on the stack, each when its frame is left.
_Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                         _Unwind_Context* context, void*) {
  Fibre& fibre = *rt.current;
  if (!fibre.cleanup_buffers.empty()) {
    void* buffer = fibre.cleanup_buffers.back();
    const bool passed =
        (actions & _UA_END_OF_STACK) != 0 || reinterpret_cast<_Unwind_Word>(buffer) < _Unwind_GetCFA(context);
    if (passed) {
      fibre.cleanup_buffers.pop_back();
      std::longjmp(static_cast<__jmp_buf_tag*>(buffer), 1);
    }
  }
  if ((actions & _UA_END_OF_STACK) != 0) end_thread();
  return _URC_NO_REASON;
}

}  // namespace

void unwind_thread() {
  // The unwinder of the program's own C++ library runs the program's destructors; a C program without one has none.
  // Looked up each time, unnoticed: the dynamic linker counts its answers.
  auto* unwind = reinterpret_cast<ForcedUnwind>(find_first("_Unwind_ForcedUnwind"));
  rt.current->called_from = 0;  // the call ends here, and other code of the program runs
  if (unwind != nullptr) {
    Fibre& fibre = *rt.current;
    static_assert(sizeof(_Unwind_Exception) <= sizeof fibre.unwind_exception && alignof(_Unwind_Exception) <= 16);
    auto* exception = new (fibre.unwind_exception.data()) _Unwind_Exception{};
    exception->exception_class = 0;
    exception->exception_cleanup = nullptr;
    clear_before_call();
    unwind(exception, stop, nullptr);
  }
  Fibre& fibre = *rt.current;
  if (!fibre.cleanup_buffers.empty()) {
    void* buffer = fibre.cleanup_buffers.back();
    fibre.cleanup_buffers.pop_back();
    std::longjmp(static_cast<__jmp_buf_tag*>(buffer), 1);
  }
  end_thread();
}

}  // namespace heddle::native
