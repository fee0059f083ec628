// What the loaded executable and libraries import: which of them was compiled for Heddle, and which functions of the
// others are called.
#pragma once

#include <string>
#include <vector>

namespace heddle::native {

// Looks at everything that is loaded; once, before the first execution.
void examine_loaded_code();

// Whether the program, or a library that is not the system's, can call pthread_cancel.
[[nodiscard]] bool program_cancels() noexcept;

// A library without instrumentation, and the functions of it that instrumented code imports.
struct ForeignLibrary {
  std::string file;
  std::vector<std::string> functions;
};
[[nodiscard]] const std::vector<ForeignLibrary>& foreign_libraries() noexcept;

}  // namespace heddle::native
