// A table of static accesses as text, from the supervisor to the worker.
#pragma once

#include <string>

#include "model/static_table.hpp"

namespace heddle {

[[nodiscard]] std::string to_text(const StaticTable& table);
[[nodiscard]] StaticTable static_table_from_text(const std::string& text);

}  // namespace heddle
