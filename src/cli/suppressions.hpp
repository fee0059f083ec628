// Suppressions: what the user declares harmless, in the style of the sanitizers' files.
//
//     # comment
//     uninstrumented:libfoo.so       a library, or functions of one, that Heddle cannot see into
//     assembly:ck_pr_*               functions with atomic instructions that were not instrumented
//     leak:make_singleton            leaks with a frame in this function or file
//
// A pattern fits anywhere in the name; `*` stands for anything, `^` and `$` at its ends for the beginning and the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct Suppression {
  std::string kind;
  std::string pattern;
};

class Suppressions {
 public:
  Suppressions() = default;
  // Throws UserError, naming the line, if the file cannot be read or is not of this form.
  explicit Suppressions(const std::string& file);

  [[nodiscard]] bool covers(std::string_view kind, std::string_view name) const;

 private:
  std::vector<Suppression> list_;
};

}  // namespace heddle
