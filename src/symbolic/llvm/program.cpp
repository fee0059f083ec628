#include "symbolic/llvm/program.hpp"

#include "symbolic/llvm/machine.hpp"
#include "symbolic/llvm/module.hpp"

namespace heddle::symbolic {
namespace {

class LlvmAutomata final : public ProgramAutomata {
 public:
  LlvmAutomata(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> program,
               std::uint32_t spurious_wakeups)
      : context_(std::move(context)), module_(std::move(program)), world_(*module_, spurious_wakeups) {
    wild_ = world_.fail(FindingKind::Crash,
                        "a pointer that may be anything (made of an input?), or to what a library holds, is followed",
                        nullptr, true);
  }

  // False, with a sentence, if the program cannot even begin.
  bool begin(const ProgramSource& source, std::string& error) {
    const llvm::Function* main = module_->getFunction("main");
    if (main == nullptr || main->isDeclaration()) {
      error = "the program has no main function";
      return false;
    }
    const auto no_limit = TermPool::Clock::time_point::max();
    world_.pool.limit(source.end);
    try {
      const bool begun = begin_in(*main, source.arguments);
      world_.pool.limit(no_limit);
      return begun;
    } catch (const OutOfTime&) {
      world_.pool.limit(no_limit);
      (void)world_.enter({0}, Machine::stack_of(*main, main_arguments(source.arguments), world_));
      return true;
    }
  }

  [[nodiscard]] std::size_t thread_count() const override { return world_.threads.size(); }
  [[nodiscard]] std::string thread_name(ThreadIndex thread) const override { return world_.threads[thread.value].path; }
  [[nodiscard]] bool starts_by_itself(ThreadIndex thread) const override { return thread.value == 0; }
  [[nodiscard]] const std::vector<Transition>& transitions(ThreadIndex thread, LocationId location) override {
    Place& place = *world_.threads[thread.value].places[location.value];
    if (!place.built) {
      place.built = true;
      place.transitions = Machine(world_, thread).run(place.stack);
    }
    return place.transitions;
  }
  [[nodiscard]] LocationKind kind(ThreadIndex thread, LocationId location) const override {
    return world_.threads[thread.value].places[location.value]->kind;
  }
  [[nodiscard]] const Object* object(std::uint32_t id) const override { return world_.objects.find(id); }
  [[nodiscard]] const Failure& failure(FailureId id) const override { return world_.failures[id]; }
  [[nodiscard]] Term initial_byte(Address address) override { return world_.objects.byte(address); }
  [[nodiscard]] Term initial_value(Term variable) override {
    return world_.pool.constant(0, world_.pool.width(variable));
  }
  [[nodiscard]] TermPool& pool() override { return world_.pool; }
  [[nodiscard]] std::size_t prefix_events() const override { return world_.prefix_events; }
  [[nodiscard]] bool passes_structures() const override { return world_.passes_structures; }
  [[nodiscard]] bool reads_clocks() const override { return world_.reads_clocks(); }
  [[nodiscard]] bool times_out() const override { return world_.times_out(); }
  [[nodiscard]] std::vector<std::string> notes() const override { return {world_.notes.begin(), world_.notes.end()}; }
  [[nodiscard]] FailureId wild() const override { return wild_; }

 private:
  bool begin_in(const llvm::Function& main, const std::vector<std::string>& arguments) {
    Machine machine(world_, {0});
    for (const llvm::Function* constructor : constructors()) {
      Stack stack = Machine::stack_of(*constructor, {}, world_);
      if (!machine.run_alone(stack)) {
        refuse(stack, machine.refusal());
        return true;
      }
    }
    world_.prefix_events = 0;  // the native engine counts from main on
    Stack stack = Machine::stack_of(main, main_arguments(arguments), world_);
    if (!machine.run_alone(stack) && stack.frames.empty()) return false;
    (void)world_.enter({0}, std::move(stack));
    return true;
  }

  // The program's one step is that it is refused, because of what a constructor of a global object does.
  void refuse(const Stack& stack, const std::string& why) {
    const std::string reason = why.empty() ? "threads, inputs, or something that goes wrong" : why;
    const FailureId failure = world_.fail(FindingKind::Assertion, reason + ", in the constructor of a global object",
                                          in_program(stack), true);
    world_.threads.front().places.push_back(std::make_unique<Place>());
    Place& first = *world_.threads.front().places.front();
    first.built = true;
    first.transitions.push_back(
        {world_.end({0}, LocationKind::Finished), {Check{world_.pool.truth(false), failure}}, {}, "constructor"});
  }

  [[nodiscard]] std::vector<const llvm::Function*> constructors() const {
    std::vector<const llvm::Function*> found;
    const llvm::GlobalVariable* list = module_->getGlobalVariable("llvm.global_ctors");
    if (list == nullptr || !list->hasInitializer()) return found;
    const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
    for (unsigned i = 0; entries != nullptr && i < entries->getNumOperands(); ++i) {
      const auto* function = llvm::dyn_cast<llvm::Function>(entries->getOperand(i)->getOperand(1));
      if (function != nullptr) found.push_back(function);
    }
    return found;
  }

  std::vector<Scalars> main_arguments(const std::vector<std::string>& arguments) {
    const Address list = address_of(world_.objects.add("argv", 8 * (arguments.size() + 1)));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& text = arguments[i];
      const Address place = address_of(world_.objects.add("argument", text.size() + 1));
      for (std::size_t n = 0; n < text.size(); ++n) {
        world_.objects.set_byte(place + n, world_.pool.constant(static_cast<unsigned char>(text[n]), 8));
      }
      world_.objects.set(list + 8 * i, world_.pool.constant(place, kAddressBits));
    }
    const Term no_environment = world_.pool.constant(list + 8 * arguments.size(), kAddressBits);
    return {{world_.pool.constant(arguments.size(), 32)}, {world_.pool.constant(list, kAddressBits)}, {no_environment}};
  }

  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  World world_;
  FailureId wild_ = 0;
};

}  // namespace

std::unique_ptr<ProgramAutomata> load_program(const ProgramSource& source, std::string& error) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> program = link_bitcode(source.bitcode, *context, error);
  if (!program) return nullptr;
  promote_locals(*program);
  auto automata = std::make_unique<LlvmAutomata>(std::move(context), std::move(program), source.spurious_wakeups);
  try {
    if (!automata->begin(source, error)) return nullptr;
  } catch (const Refused& refusal) {
    error = refusal.what();
    return nullptr;
  }
  return automata;
}

}  // namespace heddle::symbolic
