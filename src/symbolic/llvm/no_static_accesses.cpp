// In place of the analysis where LLVM is not installed.
#include "symbolic/llvm/static_accesses.hpp"

namespace heddle::symbolic {

std::optional<StaticAnalysis> analyse_accesses(const std::vector<std::string>& /*bitcode*/, std::string& /*error*/) {
  return std::nullopt;
}

}  // namespace heddle::symbolic
