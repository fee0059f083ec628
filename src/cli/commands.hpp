// The commands, one file each. Each takes the words after its name and returns the exit status.
#pragma once

#include <string>
#include <vector>

namespace heddle {

int check(const std::vector<std::string>& arguments);
int replay_result(const std::vector<std::string>& arguments);
int report(const std::vector<std::string>& arguments);
int compile_c(const std::vector<std::string>& arguments);
int compile_cxx(const std::vector<std::string>& arguments);
int flags(const std::vector<std::string>& arguments);
int launch(const std::vector<std::string>& arguments);

}  // namespace heddle
