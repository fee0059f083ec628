// The program's C++ library is not ours (ours is linked in and hidden), so that everything here goes through its
// symbols.
#include "program/native/terminate.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <string>
#include <typeinfo>

#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/system_library.hpp"

namespace heddle::native {
namespace {

template <typename Function>
Function program_symbol(const char* name) {
  return reinterpret_cast<Function>(find_first(name));
}

// Looked up before the program begins: the loader notes what it could not find, in memory that belongs to states.
struct Library {
  std::type_info* (*current_type)() = nullptr;
  const std::type_info* exception = nullptr;
  // The exception in flight. libc++abi has a function for it; libstdc++ has std::current_exception, whose result, a
  // pointer to the exception and nothing else, is returned in memory.
  void* (*primary_exception)() = nullptr;
  void* (*current_exception)(void**) = nullptr;
};
Library library;

void* exception_in_flight() {
  if (library.primary_exception != nullptr) return library.primary_exception();
  void* object = nullptr;
  if (library.current_exception != nullptr) library.current_exception(&object);
  return object;
}

// The text of the exception in flight, if it is derived from std::exception. Comparing types is none of the program's
// doing; what() is, and may have steps: nothing of ours must be on the stack then, where it would be part of a state.
const char* what_of(const std::type_info& thrown) {
  void* object = exception_in_flight();
  if (library.exception == nullptr || object == nullptr) return nullptr;
  {
    OutsideProgram outside;
    if (!library.exception->__do_catch(&thrown, &object, 1)) return nullptr;
  }
  return static_cast<const std::exception*>(object)->what();
}

std::string readable(const std::type_info& type) {
  OutsideProgram outside;
  int status = 0;
  char* demangled = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string text = status == 0 ? demangled : type.name();
  std::free(demangled);
  return text;
}

[[noreturn]] void on_terminate() {
  const auto site = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
  if (!rt.inside) std::abort();
  const std::type_info* type = library.current_type != nullptr ? library.current_type() : nullptr;
  if (type == nullptr) {
    fail(FindingKind::UncaughtException,
         "std::terminate is called without an exception in flight (a joinable std::thread destroyed, for instance)",
         site);
  }
  const char* what = what_of(*type);
  std::string message = "uncaught exception of type " + readable(*type);
  if (what != nullptr && *what != '\0') message.append(": ").append(what);
  fail(FindingKind::UncaughtException, message, site ^ reinterpret_cast<std::uint64_t>(type));
}

}  // namespace

void install_terminate_handler() {
  library.current_type = program_symbol<std::type_info* (*)()>("__cxa_current_exception_type");
  library.exception = program_symbol<const std::type_info*>("_ZTISt9exception");
  library.primary_exception = program_symbol<void* (*)()>("__cxa_current_primary_exception");
  library.current_exception = program_symbol<void* (*)(void**)>("_ZSt17current_exceptionv");
  using Handler = void (*)();
  auto* set = program_symbol<Handler (*)(Handler)>("_ZSt13set_terminatePFvvE");
  auto* get = program_symbol<Handler (*)()>("_ZSt13get_terminatev");
  auto* standard = program_symbol<Handler>("_ZN9__gnu_cxx27__verbose_terminate_handlerEv");
  if (set == nullptr || get == nullptr) return;
  const auto current = reinterpret_cast<std::uint64_t>(get());
  // The library's own, under whatever name: the program has not put another in its place.
  if (get() == standard || called_from_system_library(current)) set(on_terminate);
}

}  // namespace heddle::native
