// In place of the front end where LLVM is not installed.
#include "symbolic/llvm/program.hpp"

namespace heddle::symbolic {

std::unique_ptr<ProgramAutomata> load_program(const ProgramSource& /*source*/, std::string& /*error*/) {
  return nullptr;
}

}  // namespace heddle::symbolic
