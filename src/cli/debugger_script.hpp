// src/cli/gdb/heddle.py, compiled in.
#pragma once

#include <string_view>

namespace heddle {

extern const std::string_view kDebuggerScript;

}  // namespace heddle
