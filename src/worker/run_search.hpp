// The worker's job if the program is to be searched: runs the search that was asked for, and tells the supervisor.
#pragma once

#include "program/native/native_program.hpp"
#include "worker/board.hpp"
#include "worker/channel.hpp"
#include "worker/configuration.hpp"
#include "worker/worker_listener.hpp"

namespace heddle {

void send_notes(const Channel& channel);

// The status to exit with.
[[nodiscard]] int run_search(const WorkerConfiguration& configuration, const Beginning& beginning,
                             const Channel& channel, Board& board, native::NativeProgram& program);

}  // namespace heddle
