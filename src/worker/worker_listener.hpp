// Listens to the search: findings go to the supervisor, smaller forms of them and their explanations too; figures go to
// the board; checkpoints to the supervisor.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/archive.hpp"
#include "explore/estimate.hpp"
#include "model/listener.hpp"
#include "program/native/native_program.hpp"
#include "worker/board.hpp"
#include "worker/channel.hpp"
#include "worker/configuration.hpp"
#include "worker/forked_program.hpp"
#include "worker/mirror.hpp"

namespace heddle {

// What the worker begins with.
struct Beginning {
  std::string state;    // of a search, to go on from; empty: none
  std::string modules;  // what is loaded where
};

class WorkerListener final : public Listener {
 public:
  // `forked`: if the program has a process for each execution.
  WorkerListener(const Channel& channel, Board& board, native::NativeProgram& program, ForkedProgram* forked,
                 const WorkerConfiguration& configuration, const Beginning& beginning);

  // To be told when the user interrupts the search, and asked for its estimate.
  struct Search {
    std::function<void()> interrupt;
    std::function<std::optional<Estimate>(std::uint64_t)> estimate;
  };
  void listen_to(Search search) { search_ = std::move(search); }
  // The program that is searched, for finding smaller executions; without it findings stay as they are.
  void attach(Mirror& executed) { executed_ = &executed; }

  // What belongs to a checkpoint besides the state of the search itself; false if it does not fit the program.
  [[nodiscard]] bool archive(Archive& archive);

  void execution_ended(const Statistics& so_far) override;
  void found(const Finding& finding, std::span<const PlannedChoice> schedule) override;
  [[nodiscard]] bool wants_checkpoint() override { return board_.checkpoint != checkpoint_; }
  void checkpoint(std::string_view state) override;

 private:
  using Clock = std::chrono::steady_clock;

  // A message with the finding's description added. In a fresh process if the program has one for each execution.
  void send_description(const nlohmann::json& message, const Finding& finding, std::span<const PlannedChoice> schedule,
                        bool repeatable);
  // A smaller execution with the same finding, and the nearest one that passes.
  void explain(const Finding& finding, const std::vector<PlannedChoice>& schedule);
  [[nodiscard]] std::function<bool()> stop_after(Clock::duration time) const;
  void look_for_leak();

  const Channel& channel_;
  Board& board_;
  native::NativeProgram& program_;
  ForkedProgram* forked_;
  bool minimises_;
  bool checkpoints_;
  const Beginning& beginning_;
  std::uint32_t checkpoint_ = 0;  // the last one asked for that was sent
  Search search_;
  std::uint64_t next_estimate_ = 0;
  Mirror* executed_ = nullptr;
  int leaks_ = 0;
  std::vector<std::uint64_t> reported_;
  std::size_t findings_ = 0;                              // described so far
  Clock::duration time_left_ = std::chrono::seconds(20);  // for minimising, over all findings
};

}  // namespace heddle
