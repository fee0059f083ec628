// Branches, switches and returns.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {
namespace {

constexpr std::size_t kManyWays = 64;  // out of one location

}  // namespace

Machine::Next Machine::branch(Path& path, const llvm::BranchInst& i) {
  if (i.isUnconditional()) {
    jump(path, *i.getParent(), *i.getSuccessor(0));
    return Next::Jumped;
  }
  const Term condition = value(path, i.getCondition());
  if (pool_.is_constant(condition)) {
    jump(path, *i.getParent(), *i.getSuccessor(pool_.is_true(condition) ? 0 : 1));
    return Next::Jumped;
  }
  // A local loop that depends on unknown values is cut: each round is a step. So is a stretch with many ways, which
  // meet again where it is cut.
  const bool long_enough = path.instructions > 2000 || found_.size() > kManyWays;
  if (long_enough && !alone_ && path.stack.atomic == 0) return Next::Stop;
  for (const unsigned way : {0U, 1U}) {
    fork(path, way == 0 ? condition : pool_.negate(condition),
         [&](Path& p) { jump(p, *i.getParent(), *i.getSuccessor(way)); });
  }
  return Next::Ended;
}

Machine::Next Machine::choose_case(Path& path, const llvm::SwitchInst& i) {
  const Term selector = value(path, i.getCondition());
  if (pool_.is_constant(selector)) {
    const llvm::BasicBlock* target = i.getDefaultDest();
    for (const auto& one : i.cases()) {
      if (one.getCaseValue()->getZExtValue() == pool_.value(selector)) target = one.getCaseSuccessor();
    }
    jump(path, *i.getParent(), *target);
    return Next::Jumped;
  }
  Term none = pool_.truth(true);
  for (const auto& one : i.cases()) {
    const Term here = pool_.equal(selector, pool_.constant(one.getCaseValue()->getZExtValue(), pool_.width(selector)));
    fork(path, here, [&](Path& p) { jump(p, *i.getParent(), *one.getCaseSuccessor()); });
    none = pool_.conj(none, pool_.negate(here));
  }
  fork(path, none, [&](Path& p) { jump(p, *i.getParent(), *i.getDefaultDest()); });
  return Next::Ended;
}

Machine::Next Machine::give_back(Path& path, const llvm::ReturnInst* instruction, Scalars result) {
  if (path.stack.frames.size() > 1) {
    path.stack.frames.pop_back();
    const llvm::Instruction& at = *top(path).next;
    if (top(path).phase > 0) return Next::Jumped;  // a function that an operation of the library has called
    if (!at.getType()->isVoidTy()) set(path, at, std::move(result));
    return Next::Advance;
  }
  const Term returned = result.empty() ? pool_.constant(0, 64) : result[0];
  if (thread_.value != 0) {
    finish_thread(std::move(path), pool_.resize(returned, 64, true));
    return Next::Ended;
  }
  check(path, pool_.equal(returned, pool_.constant(0, pool_.width(returned))), FindingKind::AbnormalExit,
        "main returns another status than 0", *instruction);
  finish(std::move(path), LocationKind::Returned);
  return Next::Ended;
}

}  // namespace heddle::symbolic
