// For --reduction=static: what an analysis of the sources says about the executable made of them.
#pragma once

#include <string>
#include <vector>

namespace heddle {

// In front of and behind the user's own, so that the program does what the analysis sees: not optimised, by one
// compiler.
[[nodiscard]] std::string options_for_analysis(const std::string& options);

// As the worker wants it. Throws UserError if the sources cannot be analysed.
[[nodiscard]] std::string analyse_statically(const std::vector<std::string>& sources, const std::string& executable,
                                             const std::string& options);

}  // namespace heddle
