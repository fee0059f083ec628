// Searches over states: every state is expanded once, however many ways lead to it. So programs that never end are
// searched completely if they have finitely many states.
//
//   work:      take a state from the stack, put the program there, expand it, push the states that are new
//   expand     none: every step of every enabled thread
//              sleep: likewise, but for steps that are covered from another state (below)
//              cartesian: the Cartesian vector; new states are the ends of its finite prefixes (figure 7)
//              with static sets: none or sleep, but only the threads of a persistent set (static_sets.hpp)
//   at the end: look for livelocks, tell the listener
//
// Sleep sets with states stored: the sleep set of a state is stored with it. When the state is met again, asleep stays
// what is asleep on both ways; what was asleep and is no longer is explored then (Godefroid). Passed on from a step is
// what was asleep after the update, and what has been explored on this visit, as far as it does not depend on the step.
// That all states are reached, in cyclic graphs too: docs/soundness.md.
//
// From a persistent set in each state every deadlock and every failure is found if the states visited form no cycle
// (Godefroid): else a thread may be left out all around it. Whether they do is looked at in the end.
//
// Between two expansions the search can be written down (`archive`): all that is stored, and the states that have yet
// to be expanded, by number. Who reads that gets to them by the steps that first led there. States are stored as they
// are, so this is good only for a process in which they are the same: some of them are reached again and compared
// before the search goes on, each of those that are yet to be expanded when its turn comes.
//
// With several jobs the process forks once there is enough to do (figure 8). Store and findings are shared; a process
// that runs out of work is given states by the others, by number: it gets there by the steps that first led there.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <string_view>
#include <vector>

#include "explore/engine.hpp"
#include "explore/stateful/cartesian_vector.hpp"
#include "explore/stateful/crew.hpp"
#include "explore/stateful/livelock.hpp"
#include "explore/stateful/state_store.hpp"
#include "explore/stateless/thread_order.hpp"
#include "explore/static_sets.hpp"

namespace heddle {

enum class StateReduction : std::uint8_t { None, Sleep, Cartesian };
inline constexpr std::array<std::string_view, 3> kStateReductionNames{"none", "sleep", "cartesian"};

struct StateSearchOptions {
  ExploreOptions explore;
  StateReduction reduction = StateReduction::Sleep;
  ThreadOrder order = ThreadOrder::Lowest;
  StateStore::Options store;
  unsigned jobs = 1;
  bool self_check = false;                 // every state is reached a second time, by the steps that first led there
  const StaticKnowledge* known = nullptr;  // for static sets; outlives the search
};

class StateSearch final : private CartesianVector::Observer {
 public:
  StateSearch(Program& program, Listener& listener, StateSearchOptions options,
              const Processes& processes = ordinary_processes());

  // `resume_from`: a state that listener.checkpoint was given, to go on from there; empty: from the beginning.
  ExploreResult explore(std::string_view resume_from = {});
  // Whether a checkpoint is one of a search with static sets.
  [[nodiscard]] static bool had_sets(std::string_view resume_from);

  // Ends the search soon; may be called from a signal handler.
  void interrupt() noexcept { interrupted_.store(true, std::memory_order_relaxed); }

  // The steps that lead to what the search ended with, if the program refused to go on.
  [[nodiscard]] const std::vector<PlannedChoice>& schedule() const noexcept { return walked_; }
  [[nodiscard]] std::uint64_t store_bytes() const { return store_.bytes(); }
  // Whether the states visited with static sets form a cycle: they then do not prove anything.
  [[nodiscard]] bool went_round() const;

 private:
  // What a thread that is asleep would do here, for each outcome.
  struct Asleep {
    ThreadId thread;
    std::vector<Event> events;
  };
  struct Item {
    StateNumber state = kNoState;
    StateHandle handle{};
    std::uint32_t depth = 0;
    std::vector<Asleep> sleep;
    std::uint64_t only = ~std::uint64_t{0};  // threads to explore, of the first 64
    bool kept = true;                        // otherwise there is no handle yet
  };
  struct Step {
    StateNumber from;
    StateNumber to;
  };

  void begin();
  void work();
  void expand(Item& item);
  void expand_steps(Item& item);
  // False if it was not done because the search is to end: nothing has come of it then.
  bool expand_cartesian(Item& item);
  void release(const Item& item);
  // Whether to leave off at once. The end of the time, or an interrupt, can wait until a state has been expanded.
  [[nodiscard]] bool leaves_off() const;

  bool archive(Archive& archive);
  bool resume(std::string_view state);
  void write_checkpoint();
  void write_last_checkpoint();
  // Whether a stored state is reached by the steps that first led there; the program is in it then.
  bool reach_again(StateNumber state);
  // Of one read from a checkpoint; false if it is not what it was.
  bool get_handle(Item& item);
  [[nodiscard]] std::vector<StateNumber> states_of_stack() const;
  void look_for_deadlock(const Item& item);

  // The program has come to a state: stores it, and keeps it for later if it is new. Its number, or kNoState.
  StateNumber arrive(const Arrival& arrival, std::uint32_t depth, std::vector<Asleep> sleep);
  void meet_again(StateNumber state, std::uint32_t depth, std::vector<Asleep> sleep);
  [[nodiscard]] std::vector<Asleep> still_asleep(const std::vector<Asleep>& sleep, const Event& event) const;
  void note_sleep(StateNumber state, const std::vector<Asleep>& sleep);

  // Looks at what the last step did; whether the program can go on.
  bool look(StateNumber from, std::span<const Segment> way);
  bool stepped(ThreadId thread, std::uint32_t steps, Outcome outcome) override;
  void note(const Finding& finding, StateNumber from, std::span<const Segment> way);
  void tell_findings();
  void look_for_livelocks();
  void put_at(StateHandle state);

  // Takes the steps that first led to a state, then those along the way: they stand in walked_, and the program is at
  // their end. Otherwise the thread whose next step is no longer possible.
  std::optional<ThreadId> retrace(StateNumber state, std::span<const Segment> way);
  // False if it did not do the same again, which is noted as a finding.
  bool walk(StateNumber state, std::span<const Segment> way);
  // Whether the steps that first led to a state lead there again, to the same bytes: looked at for the 2nd, 3rd, 5th,
  // 9th ... state, or with a self-check for all.
  void recheck(const Item& item);
  void note_nondeterminism(ThreadId thread, const std::string& where);
  bool fetch();  // gets work from the others
  void share();
  void check_budgets();
  void add_up();
  [[nodiscard]] Statistics so_far() const;
  void tell_progress();
  [[nodiscard]] std::vector<Choice> choices(const Item& item);

  Program& program_;
  Listener& listener_;
  StateSearchOptions options_;
  const Processes& processes_;
  StateStore store_;
  IdleGraph idle_;
  Crew crew_;
  GrowingArray<std::uint64_t> sleeping_;  // by state: which of the first 64 threads are asleep there
  CartesianVector vector_;
  std::optional<StaticSets> sets_;
  std::vector<Step> steps_;  // with static sets: from state to state
  std::deque<Item> stack_;
  const Item* expanded_ = nullptr;
  bool at_handle_ = false;  // the program is in the state kept as here_
  StateHandle here_{};
  std::vector<StatePart> parts_;
  std::vector<PlannedChoice> walked_;
  std::vector<std::uint64_t> noted_;  // keys of findings, by this process
  std::vector<std::uint64_t> told_;   // to the listener
  ExploreResult result_;
  Statistics own_;  // of this process, not yet added up
  std::uint64_t expansions_ = 0;
  bool forked_ = false;      // there are others
  bool hired_ = false;       // this is one of them
  std::uint64_t found_ = 0;  // findings that the listener knows, or need not
  std::chrono::steady_clock::time_point deadline_;
  std::atomic<bool> interrupted_ = false;
};

}  // namespace heddle
