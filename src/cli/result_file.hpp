// Writing results so that nobody ever sees half of one; and reading them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heddle {

// Throws UserError if a file could not be written there; better found out before a search than after it.
void check_output_file(const std::string& option, const std::string& path);
void write_output_file(const std::string& path, const std::string& text);

// The same, for plain files that must be there, or what was there before, even if the machine stops at any moment.
void write_durably(const std::string& path, const std::string& text);

// The JSON form of a result, as far as it is one. Throws UserError.
[[nodiscard]] nlohmann::json read_result_file(const std::string& path);

// Now, as it stands in results.
[[nodiscard]] std::string now_text();

}  // namespace heddle
