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

// The exception in flight. libc++abi has a function for it; libstdc++ has std::current_exception, whose result, a
// pointer to the exception and nothing else, is returned in memory.
void* exception_in_flight() {
  if (auto* primary = program_symbol<void* (*)()>("__cxa_current_primary_exception")) return primary();
  void* object = nullptr;
  if (auto* current = program_symbol<void* (*)(void**)>("_ZSt17current_exceptionv")) current(&object);
  return object;
}

// The text of the exception in flight, if it is derived from std::exception.
std::string what_of(const std::type_info& thrown) {
  const auto* base = program_symbol<const std::type_info*>("_ZTISt9exception");
  void* object = exception_in_flight();
  if (base == nullptr || object == nullptr || !base->__do_catch(&thrown, &object, 1)) return {};
  return static_cast<const std::exception*>(object)->what();
}

[[noreturn]] void on_terminate() {
  const auto site = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
  if (!rt.inside) std::abort();
  auto* current_type = program_symbol<std::type_info* (*)()>("__cxa_current_exception_type");
  const std::type_info* type = current_type != nullptr ? current_type() : nullptr;
  if (type == nullptr) {
    fail(FindingKind::UncaughtException,
         "std::terminate is called without an exception in flight (a joinable std::thread destroyed, for instance)",
         site);
  }
  std::string message = "uncaught exception of type ";
  {
    OutsideProgram outside;
    int status = 0;
    const char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    message += status == 0 ? name : type->name();
  }
  const std::string what = what_of(*type);
  if (!what.empty()) message += ": " + what;
  fail(FindingKind::UncaughtException, message, site ^ reinterpret_cast<std::uint64_t>(type));
}

}  // namespace

void install_terminate_handler() {
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
