// Sources as LLVM bitcode, for what analyses programs instead of running them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle {

// A folder of our own that goes away with us.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// One file for each source, not optimised unless the options say so. `asked_by`: the option that needs them, for
// messages.
[[nodiscard]] std::vector<std::string> compile_to_bitcode(const std::vector<std::string>& sources,
                                                          const std::string& options, const std::string& asked_by,
                                                          const Workspace& workspace);

}  // namespace heddle
