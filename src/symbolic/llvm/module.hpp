// Bitcode files as one module.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle::symbolic {

// Null, with a sentence, if they cannot be read or do not fit together.
[[nodiscard]] std::unique_ptr<llvm::Module> link_bitcode(const std::vector<std::string>& files,
                                                         llvm::LLVMContext& context, std::string& error);

// Local variables become registers; nothing else is optimised, so that nothing is lost that a check should see.
void promote_locals(llvm::Module& program);

}  // namespace heddle::symbolic
