// What a search comes to, as parts of messages to the supervisor.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "explore/minimise.hpp"
#include "explore/search_run.hpp"

namespace heddle {

[[nodiscard]] std::string_view text(Ended ended);
[[nodiscard]] nlohmann::json to_message(const Statistics& s);
[[nodiscard]] nlohmann::json to_message(const Minimised& minimised);
// What a bounded search or a sample has to say besides.
[[nodiscard]] nlohmann::json describe_coverage(const SearchResult& result);

}  // namespace heddle
