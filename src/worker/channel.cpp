#include "worker/channel.hpp"

#include <sys/syscall.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program/native/raw_syscall.hpp"

namespace heddle {

// False if the supervisor is gone: nobody is left to tell.
bool Channel::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const long wrote = native::raw_syscall(SYS_write, static_cast<std::uint64_t>(descriptor_),
                                           native::word(bytes.data()), bytes.size());
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

void Channel::send(const nlohmann::json& message) const {
  (void)write(message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void Channel::send(nlohmann::json message, std::span<const std::string_view> parts) const {
  std::size_t bytes = 0;
  for (const std::string_view part : parts) bytes += part.size();
  message["bytes"] = bytes;
  send(message);
  for (const std::string_view part : parts) {
    if (!write(part)) return;
  }
}

}  // namespace heddle
