// Turns a finding into a message: replays its schedule once more with call stacks captured, and says who did what.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "program/native/native_program.hpp"

namespace heddle {

// A finding of a search (or of a replay), described for the supervisor.
[[nodiscard]] nlohmann::json describe_finding(native::NativeProgram& program, const Finding& finding,
                                              const std::vector<NamedChoice>& schedule, bool repeatable);

// A refusal of the back-end, with the stack of the call that was refused.
[[nodiscard]] nlohmann::json describe_refusal(native::NativeProgram& program, const std::vector<NamedChoice>& schedule);

// What is loaded where, for turning addresses into source lines.
[[nodiscard]] nlohmann::json describe_modules();

[[nodiscard]] std::vector<NamedChoice> named(const Program& program, std::span<const PlannedChoice> schedule);

}  // namespace heddle
