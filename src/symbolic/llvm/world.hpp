// What the front end has found out about a program so far: its objects, its threads, and their locations.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "symbolic/automaton.hpp"
#include "symbolic/llvm/function_info.hpp"
#include "symbolic/llvm/objects.hpp"

namespace heddle::symbolic {

// A call: the instruction that is to run next (in callers: the call itself), and the registers.
struct CallFrame {
  const llvm::Function* function = nullptr;
  const llvm::Instruction* next = nullptr;
  unsigned phase = 0;  // of an operation that is several steps: how many are done
  std::map<RegisterNumber, Scalars> registers;
};

struct Stack {
  std::vector<CallFrame> frames;
  unsigned children = 0;  // threads created
  unsigned blocks = 0;    // heap blocks allocated
  unsigned atomic = 0;    // depth of atomic sections
};

// Per thread, kept in memory: an object with kControlSize bytes for each.
inline constexpr std::uint32_t kMostThreads = 16;
inline constexpr std::uint32_t kControlSize = 64;
enum class Control : std::uint32_t {
  Finished = 0,
  Joined = 1,  // or detached
  Result = 8,
  Waiting = 16,  // address of the condition variable, 0 when woken, 1 when woken and its time may be up as well
  Round = 24,    // of the barrier it waits at
  Serial = 25,
  ReadLocks = 26,  // of rwlocks that it has
  Time = 32,       // seconds and nanoseconds
};

// Shadows of the program's memory: where the state of synchronisation objects is.
enum class Shadow : std::uint8_t {
  Alive = kAliveShadow,
  Owner,    // of a mutex: thread + 1
  Depth,    // of a recursive mutex
  Count,    // of a semaphore, 32 bits
  Arrived,  // at a barrier
  Round,    // of a barrier
  Parties,  // of a barrier
  Readers,  // of a rwlock
  Once,     // 0 fresh, 1 running, 2 done
};

struct Place {
  Stack stack;
  LocationKind kind = LocationKind::Running;
  bool built = false;
  std::vector<Transition> transitions;
};

struct ThreadCode {
  std::string path;
  unsigned children = 0;
  std::vector<std::unique_ptr<Place>> places;
  std::unordered_map<std::string, LocationId> known;
  std::map<std::tuple<std::size_t, const llvm::Function*, RegisterNumber, std::size_t>, Term> variables;
  std::map<std::pair<std::size_t, const llvm::Value*>, Address> locals;
  std::map<std::pair<unsigned, std::uint64_t>, Address> blocks;
  LocationId sink;  // where a thread is that has failed
};

class World {
 public:
  World(const llvm::Module& module_of_program, std::uint32_t most_spurious_wakeups);

  [[nodiscard]] ThreadIndex child(ThreadIndex parent, unsigned number);
  // The location of a stack, and what the thread's variables have to be set to on the way there.
  [[nodiscard]] std::pair<LocationId, std::vector<Assignment>> enter(ThreadIndex thread, Stack stack);
  [[nodiscard]] LocationId end(ThreadIndex thread, LocationKind kind);
  [[nodiscard]] const FunctionInfo& info(const llvm::Function& function);

  [[nodiscard]] Address local(ThreadIndex thread, std::size_t depth, const llvm::Value& variable, std::uint64_t size);
  [[nodiscard]] Address block(ThreadIndex thread, unsigned number, std::uint64_t size);
  [[nodiscard]] Address control(ThreadIndex thread, Control field) const {
    return address_of(control_, thread.value * kControlSize + static_cast<std::uint32_t>(field));
  }
  // How many spurious wake-ups there were, 32 bits.
  [[nodiscard]] Address spurious_used() const { return address_of(control_, kMostThreads * kControlSize); }
  // The latest time of any thread, as seconds and nanoseconds.
  [[nodiscard]] Address latest_time() const { return address_of(control_, kMostThreads * kControlSize + 8); }
  // Whether the program looks at clocks, and whether it has waits that end by themselves.
  [[nodiscard]] bool reads_clocks() const { return reads_clocks_; }
  [[nodiscard]] bool times_out() const { return times_out_; }
  FailureId fail(FindingKind kind, std::string message, const llvm::Instruction* at, bool unsupported = false);

  const llvm::Module& ir;
  const llvm::DataLayout& layout;
  const std::uint32_t spurious_wakeups;  // that an execution may have
  TermPool pool;
  Objects objects;
  std::vector<ThreadCode> threads;
  std::vector<Failure> failures;
  std::set<std::string> notes;
  std::size_t prefix_events = 0;
  bool passes_structures = false;  // by value, from memory that others may reach

 private:
  std::unordered_map<const llvm::Function*, std::unique_ptr<FunctionInfo>> infos_;
  std::uint32_t control_ = 0;
  bool reads_clocks_ = false;
  bool times_out_ = false;
};

// "file.c:12", or nothing.
[[nodiscard]] std::string place_text(const llvm::Instruction* at);
// Where a thread stands, for people: at the call, if what was called is in a header of the system.
[[nodiscard]] const llvm::Instruction* in_program(const Stack& stack);

}  // namespace heddle::symbolic
