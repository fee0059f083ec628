// Where the parts of Heddle are, relative to the running command: an installation can be moved.
#pragma once

#include <filesystem>

namespace heddle {

struct Installation {
  std::filesystem::path runtime;         // libheddle_rt.so
  std::filesystem::path stream_entries;  // libheddle_streams.so, loaded before it
  std::filesystem::path tsan_directory;  // with the runtime under ThreadSanitizer's names
  std::filesystem::path include;
  std::filesystem::path cmake;    // the CMake package
  std::filesystem::path command;  // heddle itself
};

[[nodiscard]] const Installation& installation();

// For things worth keeping between runs: $HEDDLE_CACHE, else $XDG_CACHE_HOME/heddle, else ~/.cache/heddle.
[[nodiscard]] std::filesystem::path cache_directory();

}  // namespace heddle
