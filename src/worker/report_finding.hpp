// Turns a finding into a message: replays its schedule once more with call stacks captured, and says who did what.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "explore/nearest_passing.hpp"
#include "program/native/native_program.hpp"

namespace heddle {

// A finding of a search (or of a replay), described for the supervisor.
[[nodiscard]] nlohmann::json describe_finding(native::NativeProgram& program, const Finding& finding,
                                              const std::vector<NamedChoice>& schedule, bool repeatable);

// The program stopped in the middle of a schedule: what has happened so far, and what each thread is about to do.
[[nodiscard]] nlohmann::json describe_stop(native::NativeProgram& program, const std::vector<NamedChoice>& steps);

// What made the difference: the nearest execution that passes.
[[nodiscard]] nlohmann::json describe_decisive(const Program& program, const NearestPassing& nearest);

// A refusal of the back-end, with the stack of the call that was refused.
[[nodiscard]] nlohmann::json describe_refusal(native::NativeProgram& program, const std::vector<NamedChoice>& schedule);

// What is loaded where, for turning addresses into source lines.
[[nodiscard]] nlohmann::json describe_modules();

[[nodiscard]] std::vector<NamedChoice> named(const Program& program, std::span<const PlannedChoice> schedule);

}  // namespace heddle
