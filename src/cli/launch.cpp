// `heddle launch`: stands in front of the programs of a CTest suite. CTest's tests are explored; what else a build runs
// of its own programs (generators, the listing of test cases) runs as it is.
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

// CTest sets it, to 0 or 1, for every test it runs.
bool run_by_ctest() { return std::getenv("CTEST_INTERACTIVE_DEBUG_MODE") != nullptr; }

}  // namespace

int launch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UserError("heddle launch needs a program; heddle check explores one by itself");
  if (run_by_ctest()) return check(arguments);
  std::vector<std::string> words;
  for (const std::string& word : arguments) {
    if (words.empty() && word.starts_with("--")) continue;  // an option of heddle check
    words.push_back(word);
  }
  if (words.empty()) throw UserError("heddle launch needs a program");
  std::vector<char*> raw;
  for (std::string& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  ::execvp(raw[0], raw.data());
  throw cannot("run", words.front());
}

}  // namespace heddle
