// Names of system calls, for sentences.
#pragma once

#include <string>

namespace heddle::native {

[[nodiscard]] std::string syscall_name(long number);

}  // namespace heddle::native
