// Executes one thread from one location on, along every way it can take, up to its next scheduling points.
#pragma once

#include <llvm/IR/IntrinsicInst.h>

#include <functional>
#include <string_view>

#include "symbolic/llvm/world.hpp"

namespace heddle::symbolic {

// Thrown while main is executed ahead of its first location: here that has to end.
struct NotAlone {};

class Machine {
 public:
  Machine(World& world, ThreadIndex thread) : world_(world), pool_(world.pool), thread_(thread) {}

  // The transitions that leave a location.
  [[nodiscard]] std::vector<Transition> run(const Stack& stack);
  // Runs while there is one thread and one way: stores go to the program's initial memory. Leaves the stack at the
  // first instruction that is more than that. True if the function has returned.
  bool run_alone(Stack& stack);
  // Why that ended, where it was for something that is not modelled.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

  [[nodiscard]] static Stack stack_of(const llvm::Function& function, const std::vector<Scalars>& arguments,
                                      World& world);

 private:
  enum class Mode : std::uint8_t { Fresh, Synchronised, Plain };
  enum class Next : std::uint8_t { Advance, Jumped, Stop, Ended };

  struct Path {
    Stack stack;
    Mode mode = Mode::Fresh;
    std::vector<Action> actions;
    std::string label;
    unsigned instructions = 0;
  };
  using Handler = Next (Machine::*)(Path&, const llvm::CallBase&);

  // The path.
  void follow(Path path);
  Next execute(Path& path, const llvm::Instruction& instruction);
  void stop(Path path);
  void finish(Path path, LocationKind kind);
  void fail(Path& path, FailureId failure);
  void advance(Path& path);
  void jump(Path& path, const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  // Goes on along one more way, where the condition holds.
  void fork(const Path& path, Term condition, const std::function<void(Path&)>& change);
  void fail_where(const Path& path, Term condition, FailureId failure);
  [[nodiscard]] bool gate(Path& path, const llvm::Instruction& at, bool plain);

  // Registers and memory.
  [[nodiscard]] CallFrame& top(Path& path) { return path.stack.frames.back(); }
  [[nodiscard]] Scalars scalars(Path& path, const llvm::Value* value);
  [[nodiscard]] Term value(Path& path, const llvm::Value* value_of) { return scalars(path, value_of).at(0); }
  void set(Path& path, const llvm::Instruction& instruction, Scalars values);
  void set(Path& path, const llvm::Instruction& instruction, std::uint64_t number);
  [[nodiscard]] Sharing sharing_of(Path& path, const llvm::Value* pointer, Term address);
  // Whether this thread may use an object at any time.
  [[nodiscard]] bool stays(const Object& object) const;
  [[nodiscard]] Term load(Path& path, Term address, unsigned width, Sharing sharing, FailureId invalid);
  void store(Path& path, Term address, Term value_to_store, Sharing sharing, FailureId invalid);
  void assume(Path& path, Term condition);
  void check(Path& path, Term condition, FindingKind kind, const std::string& message, const llvm::Instruction& at);
  void event(Path& path, Term outcome);
  void event(Path& path) { event(path, pool_.constant(0, 32)); }
  [[nodiscard]] Term choose(Path& path, unsigned width, const std::string& input);
  [[nodiscard]] Term shadow(Term address, Shadow shadow_class) {
    return pool_.add(address, Address{static_cast<std::uint8_t>(shadow_class)} << 56U);
  }
  [[nodiscard]] Term control(ThreadIndex thread, Control field) {
    return pool_.constant(world_.control(thread, field), kAddressBits);
  }
  [[nodiscard]] Term control_of(Term handle, Control field);
  [[nodiscard]] Term self() { return pool_.constant(thread_.value + 1, 8); }
  [[nodiscard]] FailureId invalid(const llvm::Instruction& at);

  // Instructions.
  Next binary(Path& path, const llvm::BinaryOperator& instruction);
  void check_division(Path& path, const llvm::BinaryOperator& instruction, Term a, Term b);
  [[nodiscard]] Term shift_count(Term count);
  Next compare(Path& path, const llvm::ICmpInst& instruction);
  Next cast(Path& path, const llvm::CastInst& instruction);
  Next address_of_element(Path& path, const llvm::GetElementPtrInst& instruction);
  Next load_register(Path& path, const llvm::LoadInst& instruction);
  Next store_register(Path& path, const llvm::StoreInst& instruction);
  Next read_modify_write(Path& path, const llvm::AtomicRMWInst& instruction);
  Next compare_exchange(Path& path, const llvm::AtomicCmpXchgInst& instruction);
  Next branch(Path& path, const llvm::BranchInst& instruction);
  Next choose_case(Path& path, const llvm::SwitchInst& instruction);
  Next give_back(Path& path, const llvm::ReturnInst* instruction, Scalars result);
  Next aggregate(Path& path, const llvm::Instruction& instruction);
  Next call(Path& path, const llvm::CallBase& instruction);
  Next call_function(Path& path, const llvm::CallBase& instruction, const llvm::Function& function);
  Next intrinsic(Path& path, const llvm::CallBase& instruction, llvm::Intrinsic::ID id);
  [[nodiscard]] Scalars with_overflow(const llvm::WithOverflowInst& instruction, Term a, Term b);
  [[nodiscard]] bool copy_passed(Path& path, const llvm::CallBase& instruction, const llvm::Function& function,
                                 std::vector<Scalars>& arguments);
  void free_where(const Path& path, const llvm::CallBase& instruction, Term condition);
  Next copy(Path& path, const llvm::CallBase& instruction, bool fill);
  [[nodiscard]] bool copy_gate(Path& path, const llvm::CallBase& instruction, bool fill);
  void copy_known(Path& path, const llvm::CallBase& instruction, bool fill, std::uint64_t size);
  struct Region {
    Term address;
    Sharing sharing;
  };
  void copy_words(Path& path, Region to, Region from, std::uint64_t size, FailureId failure);
  Next library(Path& path, const llvm::CallBase& instruction, std::string_view name);

  // The library, in library/.
  [[nodiscard]] static const std::unordered_map<std::string_view, Handler>& handlers();
  [[nodiscard]] static bool is_harmless(std::string_view name);
  Next done(Path& path, const llvm::CallBase& c, std::uint64_t result = 0);
  Next thread_create(Path& path, const llvm::CallBase& c);
  Next thread_join(Path& path, const llvm::CallBase& c);
  Next join(Path& path, const llvm::CallBase& c);
  Next thread_tryjoin(Path& path, const llvm::CallBase& c);
  Next thread_exit(Path& path, const llvm::CallBase& c);
  Next thread_self(Path& path, const llvm::CallBase& c);
  Next process_number(Path& path, const llvm::CallBase& c);
  Next thread_number(Path& path, const llvm::CallBase& c);
  Next thread_equal(Path& path, const llvm::CallBase& c);
  Next thread_detach(Path& path, const llvm::CallBase& c);
  Next mutex_init(Path& path, const llvm::CallBase& c);
  Next mutex_destroy(Path& path, const llvm::CallBase& c);
  Next mutex_lock(Path& path, const llvm::CallBase& c);
  Term mutex_kind(Path& path, const llvm::CallBase& c, Term mutex);
  void relock(Path& path, const llvm::CallBase& c, Term mutex, Term condition);
  void answer(
      Path& path, const llvm::CallBase& c, Term condition, std::uint64_t result,
      const std::function<void(Path&)>& effect = [](Path&) {});
  Next mutex_trylock(Path& path, const llvm::CallBase& c);
  Next mutex_unlock(Path& path, const llvm::CallBase& c);
  Next attribute_type(Path& path, const llvm::CallBase& c);
  Next spin_lock(Path& path, const llvm::CallBase& c);
  Next spin_init(Path& path, const llvm::CallBase& c);
  Next cond_wait(Path& path, const llvm::CallBase& c);
  Next cond_signal(Path& path, const llvm::CallBase& c);
  Next cond_broadcast(Path& path, const llvm::CallBase& c);
  Next cond_init(Path& path, const llvm::CallBase& c);
  Next sem_init(Path& path, const llvm::CallBase& c);
  Next sem_wait(Path& path, const llvm::CallBase& c);
  Next sem_trywait(Path& path, const llvm::CallBase& c);
  Next sem_post(Path& path, const llvm::CallBase& c);
  Next sem_getvalue(Path& path, const llvm::CallBase& c);
  Next barrier_init(Path& path, const llvm::CallBase& c);
  Next barrier_wait(Path& path, const llvm::CallBase& c);
  Next barrier_destroy(Path& path, const llvm::CallBase& c);
  Next rwlock_destroy(Path& path, const llvm::CallBase& c);
  Next cond_destroy(Path& path, const llvm::CallBase& c);
  Next rwlock_rdlock(Path& path, const llvm::CallBase& c);
  Next rwlock_wrlock(Path& path, const llvm::CallBase& c);
  Next rwlock_unlock(Path& path, const llvm::CallBase& c);
  Next rwlock_trywrlock(Path& path, const llvm::CallBase& c);
  Next rwlock_tryrdlock(Path& path, const llvm::CallBase& c);
  void check_not_destroyed(Path& path, const llvm::CallBase& c, Term lock, Sharing sharing);
  [[nodiscard]] Term readers_of(Path& path, const llvm::CallBase& c, Term lock);
  void add_readers(Path& path, Term lock, std::uint64_t count);
  Next rwlock_init(Path& path, const llvm::CallBase& c);
  Next once(Path& path, const llvm::CallBase& c);
  [[nodiscard]] std::vector<std::pair<Term, const llvm::Function*>> once_targets(Path& path, const llvm::CallBase& c);
  Next guard_acquire(Path& path, const llvm::CallBase& c);
  Next guard_release(Path& path, const llvm::CallBase& c);
  Next allocate(Path& path, const llvm::CallBase& c);
  [[nodiscard]] Address new_block(Path& path, std::uint64_t size);
  Next release(Path& path, const llvm::CallBase& c);
  [[nodiscard]] std::string known_text(Path& path, const llvm::Value* pointer);
  Next string_length(Path& path, const llvm::CallBase& c);
  Next string_compare(Path& path, const llvm::CallBase& c);
  Next memory_compare(Path& path, const llvm::CallBase& c);
  Next string_duplicate(Path& path, const llvm::CallBase& c);
  Next assertion(Path& path, const llvm::CallBase& c);
  Next assumption(Path& path, const llvm::CallBase& c);
  Next choice(Path& path, const llvm::CallBase& c);
  Next nondeterministic(Path& path, const llvm::CallBase& c);
  Next atomic_begin(Path& path, const llvm::CallBase& c);
  Next atomic_end(Path& path, const llvm::CallBase& c);
  Next abort(Path& path, const llvm::CallBase& c);
  Next exit(Path& path, const llvm::CallBase& c);
  Next errno_location(Path& path, const llvm::CallBase& c);
  void start(Path& path, const llvm::Function& function, Term argument);
  Next store_handle(Path& path, const llvm::CallBase& c, const llvm::Value* place);
  Next cxx_thread_start(Path& path, const llvm::CallBase& c);
  Next cxx_thread_join(Path& path, const llvm::CallBase& c);
  Next terminate(Path& path, const llvm::CallBase& c);
  Next attribute_init(Path& path, const llvm::CallBase& c);
  void set_errno(Path& path, int number);
  void wake_spuriously(Path& path, const llvm::CallBase& c, Term mutex, Term asleep);
  void touch_condition(Path& path, Term condition, const llvm::CallBase& c);
  [[nodiscard]] Term waiting_at(Path& path, std::uint32_t thread);
  void finish_thread(Path path, Term result);

  // Time, in library/time.cpp.
  struct Moment {
    Term seconds;
    Term nanoseconds;  // less than a billion
  };
  [[nodiscard]] Term earlier(const Moment& a, const Moment& b);
  [[nodiscard]] Moment either(Term condition, const Moment& a, const Moment& b);
  [[nodiscard]] Moment later(const Moment& moment, const Moment& by);
  [[nodiscard]] Term improper(const Moment& moment);
  [[nodiscard]] Moment load_moment(Path& path, Term address, Sharing sharing, FailureId failure);
  void store_moment(Path& path, Term address, const Moment& moment, Sharing sharing, FailureId failure);
  Moment move_time(Path& path, const std::function<Moment(const Moment&)>& change);
  [[nodiscard]] Moment look_at_clock(Path& path, Term clock);
  void pass_time(Path& path, const Moment& span);
  void inherit_time(Path& path, ThreadIndex child);
  void learn_time(Path& path, Term handle);
  [[nodiscard]] Moment deadline_of(Path& path, const llvm::CallBase& c);
  void check_deadline(Path& path, const llvm::CallBase& c, const Moment& deadline);
  void reach_deadline(Path& path, const llvm::CallBase& c, const Moment& deadline, Term condition);
  void time_out(Path& path, const llvm::CallBase& c, Term blocked);
  Next clock_gettime(Path& path, const llvm::CallBase& c);
  Next wall_seconds(Path& path, const llvm::CallBase& c);
  Next cxx_clock(Path& path, const llvm::CallBase& c);
  Next sleep(Path& path, const llvm::CallBase& c);
  Next nanosleep(Path& path, const llvm::CallBase& c);
  Next wake_in_time(Path& path, const llvm::CallBase& c, Term mutex, Term waits);

  World& world_;
  TermPool& pool_;
  ThreadIndex thread_;
  bool alone_ = false;
  std::string refusal_;
  std::vector<Transition> found_;
};

}  // namespace heddle::symbolic
