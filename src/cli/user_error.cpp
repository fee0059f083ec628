#include "cli/user_error.hpp"

#include <cerrno>
#include <cstring>

namespace heddle {

UserError cannot(const std::string& action, const std::string& path) {
  return UserError("cannot " + action + " " + path + ": " + std::strerror(errno));
}

}  // namespace heddle
