// Along a path: what leaves a location, what main does alone, where ways part and end.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {
namespace {

constexpr unsigned kMostInstructions = 100'000;  // of one transition; then it is cut in two
constexpr unsigned kMostAlone = 20'000'000;
constexpr unsigned kInstructionsBetweenLooks = 1024;  // at the clock
constexpr std::size_t kMostWays = 4096;               // out of one location

const llvm::Instruction* first_of(const llvm::BasicBlock& block) { return block.getFirstNonPHI(); }

}  // namespace

Stack Machine::stack_of(const llvm::Function& function, const std::vector<Scalars>& arguments, World& world) {
  CallFrame frame;
  frame.function = &function;
  frame.next = first_of(function.getEntryBlock());
  for (unsigned i = 0; i < function.arg_size() && i < arguments.size(); ++i) {
    frame.registers[world.info(function).number(function.getArg(i))] = arguments[i];
  }
  Stack stack;
  stack.frames.push_back(std::move(frame));
  return stack;
}

std::vector<Transition> Machine::run(const Stack& stack) {
  found_.clear();
  Path path;
  path.stack = stack;
  follow(std::move(path));
  return std::move(found_);
}

bool Machine::run_alone(Stack& stack) {
  alone_ = true;
  refusal_.clear();
  Path path;
  path.stack = stack;
  bool returned = false;
  while (!returned) {
    Path before = path;
    try {
      if (++path.instructions > kMostAlone) throw NotAlone{};
      if (path.instructions % kInstructionsBetweenLooks == 0) pool_.check_time();
      const llvm::Instruction& instruction = *top(path).next;
      if (llvm::isa<llvm::ReturnInst>(instruction) && path.stack.frames.size() == 1) {
        returned = true;
        break;
      }
      const Next next = execute(path, instruction);
      if (next == Next::Stop || next == Next::Ended) throw NotAlone{};
      if (next == Next::Advance) advance(path);
    } catch (const NotAlone&) {
      path = std::move(before);
      break;
    } catch (const Refused& refusal) {
      refusal_ = refusal.what();
      path = std::move(before);
      break;
    }
  }
  alone_ = false;
  stack = std::move(path.stack);
  return returned;
}

void Machine::follow(Path path) {
  for (;;) {
    const llvm::Instruction& instruction = *top(path).next;
    Next next = Next::Stop;
    try {
      if (found_.size() > kMostWays) throw Refused("more than 4096 ways between two scheduling points");
      if (path.instructions % kInstructionsBetweenLooks == 0) pool_.check_time();
      if (++path.instructions < kMostInstructions) next = execute(path, instruction);
    } catch (const Refused& refusal) {
      fail(path, world_.fail(FindingKind::Assertion, refusal.what(), in_program(path.stack), true));
      return;
    }
    if (next == Next::Ended) return;
    if (next == Next::Stop) return stop(std::move(path));
    if (next == Next::Advance) advance(path);
  }
}

void Machine::stop(Path path) {
  if (alone_) throw NotAlone{};
  auto [location, updates] = world_.enter(thread_, std::move(path.stack));
  found_.push_back({location, std::move(path.actions), std::move(updates), path.label});
}

void Machine::finish(Path path, LocationKind kind) {
  if (alone_) throw NotAlone{};
  found_.push_back({world_.end(thread_, kind), std::move(path.actions), {}, path.label});
}

void Machine::fail(Path& path, FailureId failure) {
  if (alone_) throw NotAlone{};
  path.actions.push_back(Check{pool_.truth(false), failure});
  found_.push_back({world_.end(thread_, LocationKind::Finished), std::move(path.actions), {}, path.label});
}

void Machine::advance(Path& path) {
  CallFrame& frame = top(path);
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(frame.next)) {
    jump(path, *invoke->getParent(), *invoke->getNormalDest());
    return;
  }
  frame.next = frame.next->getNextNode();
  frame.phase = 0;
}

void Machine::jump(Path& path, const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  CallFrame& frame = top(path);
  std::vector<std::pair<const llvm::PHINode*, Scalars>> values;
  for (const llvm::PHINode& phi : to.phis())
    values.emplace_back(&phi, scalars(path, phi.getIncomingValueForBlock(&from)));
  for (auto& [phi, parts] : values) set(path, *phi, std::move(parts));
  frame.next = first_of(to);
  frame.phase = 0;
}

void Machine::fork(const Path& path, Term condition, const std::function<void(Path&)>& change) {
  if (pool_.is_false(condition)) return;
  if (alone_) throw NotAlone{};
  Path other = path;
  if (!pool_.is_true(condition)) other.actions.push_back(Assume{condition});
  change(other);
  follow(std::move(other));
}

void Machine::fail_where(const Path& path, Term condition, FailureId failure) {
  if (pool_.is_false(condition)) return;
  Path other = path;
  other.actions.push_back(Assume{condition});
  fail(other, failure);
}

// Whether an operation that others may notice belongs to this transition.
bool Machine::gate(Path& path, const llvm::Instruction& at, bool plain) {
  if (alone_) return true;
  if (path.stack.atomic > 0) {
    if (!plain && llvm::isa<llvm::CallBase>(at)) throw Refused("synchronisation inside an atomic section");
    return true;
  }
  const bool fits = path.mode == Mode::Fresh || (plain && path.mode == Mode::Plain);
  if (!fits) return false;
  if (path.mode == Mode::Fresh) {
    const auto* c = llvm::dyn_cast<llvm::CallBase>(&at);
    const llvm::Function* callee = c != nullptr ? c->getCalledFunction() : nullptr;
    path.label = std::string(callee != nullptr ? callee->getName().str() : at.getOpcodeName()) + " " + place_text(&at);
  }
  path.mode = plain ? Mode::Plain : Mode::Synchronised;
  return true;
}

}  // namespace heddle::symbolic
