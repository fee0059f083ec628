#include "symbolic/llvm/module.hpp"

#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

namespace heddle::symbolic {

std::unique_ptr<llvm::Module> link_bitcode(const std::vector<std::string>& files, llvm::LLVMContext& context,
                                           std::string& error) {
  std::unique_ptr<llvm::Module> program;
  for (const std::string& file : files) {
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> part = llvm::parseIRFile(file, diagnostic, context);
    if (!part) {
      error = file + ": " + diagnostic.getMessage().str();
      return nullptr;
    }
    if (!program) {
      program = std::move(part);
    } else if (llvm::Linker::linkModules(*program, std::move(part))) {
      error = "the sources do not fit together";
      return nullptr;
    }
  }
  return program;
}

void promote_locals(llvm::Module& program) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::PromotePass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(program, modules);
}

}  // namespace heddle::symbolic
