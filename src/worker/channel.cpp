#include "worker/channel.hpp"

#include <sys/syscall.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program/native/raw_syscall.hpp"

namespace heddle {

void Channel::send(const nlohmann::json& message) const {
  const std::string line = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const long wrote = native::raw_syscall(SYS_write, static_cast<std::uint64_t>(descriptor_),
                                           native::word(line.data() + sent), line.size() - sent);
    if (wrote <= 0) return;  // the supervisor is gone; nobody is left to tell
    sent += static_cast<std::size_t>(wrote);
  }
}

}  // namespace heddle
