// `heddle flags`: what `heddle c++` and `heddle cc` add to a compiler's command line, for build systems that keep their
// own compiler; and what puts an existing CTest suite under Heddle.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/toolchain.hpp"
#include "cli/user_error.hpp"

namespace heddle {

int flags(const std::vector<std::string>& arguments) {
  bool compile = false;
  bool link = false;
  bool cmake = false;
  std::string language = "c++";
  std::string compiler;
  CLI::App app("Prints options for a compiler or for CMake, one per line.", "heddle flags");
  app.add_flag("--compile", compile, "what compiling for Heddle needs");
  app.add_flag("--link", link, "what linking with Heddle's runtime needs");
  app.add_flag("--cmake", cmake, "the option with which CMake has CTest explore a project's tests");
  app.add_option("--language", language, "c++ or c")->check(CLI::IsMember({"c++", "c"}))->capture_default_str();
  app.add_option("--compiler", compiler, "whose options they are to be [$HEDDLE_CXX or $HEDDLE_CC, else c++ or cc]");
  if (!parse_words(app, arguments)) return kExitClean;
  if (!compile && !link && !cmake) throw UserError("heddle flags needs --compile, --link or --cmake");
  const Language chosen = language == "c" ? Language::C : Language::Cxx;
  const std::vector<std::string> command =
      compiler.empty() ? compiler_command(chosen) : std::vector<std::string>{compiler};
  std::vector<std::string> printed;
  if (compile) printed = compile_options(command, chosen);
  if (link) {
    const std::vector<std::string> more = link_options(command);
    printed.insert(printed.end(), more.begin(), more.end());
  }
  if (cmake) printed.push_back("-DCMAKE_PROJECT_INCLUDE=" + (installation().cmake / "heddle-ctest.cmake").string());
  for (const std::string& word : printed) fmt::print("{}\n", word);
  return kExitClean;
}

}  // namespace heddle
