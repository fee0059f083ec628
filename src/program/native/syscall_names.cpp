#include "program/native/syscall_names.hpp"

#include <array>
#include <string_view>

namespace heddle::native {
namespace {

struct Named {
  long number;
  std::string_view name;
};

// Generated from the kernel's header when the project is configured.
constexpr std::array kNames{
#include "heddle_syscall_names.inc"
};

}  // namespace

std::string syscall_name(long number) {
  for (const Named& named : kNames) {
    if (named.number == number) return std::string(named.name);
  }
  return "number " + std::to_string(number);
}

}  // namespace heddle::native
