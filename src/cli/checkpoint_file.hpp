// The files that checkpoints are kept in: a line that says what it is, with a checksum of all that follows; a line of
// JSON; the search's state, as bytes.
//
// A checkpoint is good for the very program, the very search and the very build of Heddle that it was written by. All
// that must be the same stands in it, as its `search`, and is compared.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace heddle {

struct CheckpointContents {
  nlohmann::json described;
  std::string state;
};

// Throws UserError if there is no such file, or it is no checkpoint, or damaged, or of another search than this one.
[[nodiscard]] CheckpointContents read_checkpoint(const std::string& path, const nlohmann::json& search);

// Durably: whatever happens, the file is this one or the one before. False, and said, if that was not possible.
[[nodiscard]] bool write_checkpoint(const std::string& path, const nlohmann::json& search, nlohmann::json described,
                                    std::string_view state);

// For telling whether something is the same.
[[nodiscard]] std::string fingerprint(std::string_view bytes);
[[nodiscard]] std::string fingerprint_of_file(const std::string& path);

// Where a search that was asked for no checkpoint leaves one when it is interrupted.
[[nodiscard]] std::string place_for_interrupted(const nlohmann::json& search);

}  // namespace heddle
