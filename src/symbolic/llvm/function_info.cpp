#include "symbolic/llvm/function_info.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include <set>
#include <string_view>

namespace heddle::symbolic {
namespace {

using Live = std::set<RegisterNumber>;

bool is_register(const llvm::Value* value) {
  return llvm::isa<llvm::Instruction>(value) || llvm::isa<llvm::Argument>(value);
}

}  // namespace

FunctionInfo::FunctionInfo(const llvm::Function& function) {
  const auto enter = [this](const llvm::Value* value) {
    const auto number = static_cast<RegisterNumber>(numbers_.size());
    numbers_.emplace(value, number);
  };
  for (const llvm::Argument& argument : function.args()) enter(&argument);
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) enter(&instruction);
  }
  // Backwards to a fixed point; what a phi takes from a block is live at the end of that block.
  std::unordered_map<const llvm::BasicBlock*, Live> entry;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = function.end(); block != function.begin();) {
      --block;
      Live live;
      for (const llvm::BasicBlock* next : llvm::successors(&*block)) {
        live.insert(entry[next].begin(), entry[next].end());
        for (const llvm::PHINode& phi : next->phis()) {
          const llvm::Value* incoming = phi.getIncomingValueForBlock(&*block);
          if (is_register(incoming)) live.insert(number(incoming));
        }
      }
      for (auto at = block->rbegin(); at != block->rend(); ++at) {
        live.erase(number(&*at));
        if (!llvm::isa<llvm::PHINode>(*at)) {
          for (const llvm::Value* operand : at->operands()) {
            if (is_register(operand)) live.insert(number(operand));
          }
        }
        live_[&*at].assign(live.begin(), live.end());
      }
      if (live != entry[&*block]) {
        entry[&*block] = std::move(live);
        changed = true;
      }
    }
  }
}

bool stays_local(const llvm::Value& variable) {
  std::vector<const llvm::Value*> work{&variable};
  std::set<const llvm::Value*> seen;
  while (!work.empty()) {
    const llvm::Value* pointer = work.back();
    work.pop_back();
    if (!seen.insert(pointer).second) continue;
    for (const llvm::Use& use : pointer->uses()) {
      const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::ICmpInst>(user)) continue;
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == pointer) return false;
        continue;
      }
      if (llvm::isa<llvm::GetElementPtrInst>(user) || llvm::isa<llvm::PHINode>(user) ||
          llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::CastInst>(user)) {
        if (llvm::isa<llvm::PtrToIntInst>(user)) return false;
        work.push_back(user);
        continue;
      }
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
        if (llvm::isa<llvm::IntrinsicInst>(call)) continue;
        const llvm::Function* callee = call->getCalledFunction();
        // The library keeps no pointers, but for the argument of a new thread, its result and what is kept per thread.
        const bool library = callee != nullptr && callee->isDeclaration();
        const std::string_view name = library ? std::string_view(callee->getName()) : std::string_view();
        const bool creates = name == "pthread_create" || name == "thrd_create";
        const bool keeps = name.empty() || name == "pthread_exit" || name == "pthread_setspecific" ||
                           name == "tss_set" || (creates && use.getOperandNo() + 1 == call->arg_size());
        if (library && !keeps) continue;
      }
      return false;
    }
  }
  return true;
}

}  // namespace heddle::symbolic
