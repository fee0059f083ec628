// A mistake of the user: one sentence that says what is wrong and what to do, and exit status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle {

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Exit statuses of the command.
enum ExitStatus : int {
  kExitClean = 0,
  kExitBug = 1,
  kExitUserError = 2,
  kExitIncomplete = 3,
  kExitUnsupported = 4,
  kExitInternal = 70,
};

// "No such file or directory", for a failed call on `path`.
[[nodiscard]] UserError cannot(const std::string& action, const std::string& path);

}  // namespace heddle
