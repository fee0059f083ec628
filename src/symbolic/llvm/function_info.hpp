// What is known of a function before it runs: numbers for its registers, and which of them are still needed where.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <memory>
#include <unordered_map>
#include <vector>

namespace heddle::symbolic {

using RegisterNumber = unsigned;

class FunctionInfo {
 public:
  explicit FunctionInfo(const llvm::Function& function);

  [[nodiscard]] RegisterNumber number(const llvm::Value* value) const { return numbers_.at(value); }
  // Registers that are read at or behind an instruction before they are written; ascending.
  [[nodiscard]] const std::vector<RegisterNumber>& live_before(const llvm::Instruction* at) const {
    return live_.at(at);
  }

 private:
  std::unordered_map<const llvm::Value*, RegisterNumber> numbers_;
  std::unordered_map<const llvm::Instruction*, std::vector<RegisterNumber>> live_;
};

// Whether nobody but the function itself, and the library while it is called, has the address of a local variable or
// of an argument that was passed by value.
[[nodiscard]] bool stays_local(const llvm::Value& variable);

}  // namespace heddle::symbolic
