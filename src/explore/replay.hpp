// Replay of a schedule: performs the choices of its text form, one by one, and says where the program no longer fits.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "program/program.hpp"

namespace heddle {

struct ReplayResult {
  std::size_t performed = 0;
  std::optional<std::string> divergence;  // a sentence, if the schedule did not fit the program
  std::optional<Finding> finding;
};

// `on_event` sees each event after it was performed. Stops at the end of the schedule; if the program is not at its end
// there, that is a divergence too, unless it failed. `loop`: the last so many choices are said to lead back to where
// they begin, and to repeat for ever; the program must keep states.
ReplayResult replay(Program& program, const std::vector<NamedChoice>& schedule,
                    const std::function<void(const Event&)>& on_event, std::size_t loop = 0);

}  // namespace heddle
