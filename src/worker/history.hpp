// An execution told event by event: what each operation did, what it followed, and whom it held up.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "base/thread_set.hpp"
#include "model/execution.hpp"
#include "program/program.hpp"

namespace heddle {

// What a blocked thread waits for, and who has it.
[[nodiscard]] nlohmann::json blocked_message(const Program& program, ThreadId thread);

// The events of an execution as messages. To be told of each one while the program is in the state after it.
class History {
 public:
  explicit History(const Program& program) : program_(program) {}

  void add(const Event& event);
  // Adds the fields `events` and `accesses` (to the memory that is being watched) to a message.
  void move_into(nlohmann::json& message);

 private:
  void note_blocked(ThreadId thread, nlohmann::json& message);
  void note_accesses();

  const Program& program_;
  Execution execution_;
  ThreadSet blocked_;
  std::size_t touches_ = 0;
  nlohmann::json events_ = nlohmann::json::array();
  nlohmann::json accesses_ = nlohmann::json::array();
};

}  // namespace heddle
