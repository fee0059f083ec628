// Messages from the worker to the supervisor: one JSON object per line over a pipe. Their types and fields:
//   note      text                      for the coverage statement
//   finding   kind, message, thread, stack, involved, schedule, events, accesses, output
//   minimised number (of the finding, from 0), minimised, and the fields of a smaller finding
//   explained number, schedule (that it is about), decisive
//   stopped   schedule, events, involved   of a replay that was to stop on the way
//   warning   kind, message, stack
//   refusal   limit, text, stack        the program cannot be explored further
//   unreached text                      the program never came to the function to explore
//   unreduced library                   it needs every schedule: see native/foreign_code.hpp
//   isolate   reason                    it needs a fresh process for each execution
//   checkpoint statistics, bytes        where the search stands, for the supervisor to keep; so many bytes follow
//   unresumable                         the state it was to go on from does not fit the program
//   replayed  performed, divergence     of a replay
//   broken    text                      a contract of ours
//   met       timeouts_cut ...          of a process that took part in a search and ends
//   done      ended, cut, statistics, branches, timeouts_cut
// A stack is a list of return addresses, innermost first; `modules` (sent once) says what is loaded where.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

namespace heddle {

class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  void send(const nlohmann::json& message) const;
  // A message and, behind its line, these parts as they are.
  void send(nlohmann::json message, std::span<const std::string_view> parts) const;

 private:
  [[nodiscard]] bool write(std::string_view bytes) const;

  int descriptor_;
};

}  // namespace heddle
