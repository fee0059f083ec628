#include "explore/stateful/state_search.hpp"

#include <algorithm>
#include <bit>

#include "base/contract.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t kOften = 256;  // expansions between two looks at the clock

std::uint64_t bit(ThreadId thread) { return thread.value < 64 ? std::uint64_t{1} << thread.value : 0; }

}  // namespace

StateSearch::StateSearch(Program& program, Listener& listener, StateSearchOptions options, const Processes& processes)
    : program_(program),
      listener_(listener),
      options_(options),
      processes_(processes),
      store_(processes, options.store),
      idle_(processes, options.store.max_memory),
      crew_(processes, options.store.max_memory),
      sleeping_(processes, options.reduction == StateReduction::Sleep ? options.store.max_memory : 64),
      vector_(program) {
  if (options.known != nullptr) sets_.emplace(*options.known);
  HEDDLE_REQUIRE(!sets_ || (options.jobs == 1 && options.reduction != StateReduction::Cartesian),
                 "static sets are for steps, and of one process only");
  HEDDLE_REQUIRE(program.keeps_states(), "a search over states needs a program that keeps them");
  HEDDLE_REQUIRE(options.jobs == 1 || options.reduction != StateReduction::Sleep, "sleep sets are of one process only");
}

ExploreResult StateSearch::explore(std::string_view resume_from) {
  if (options_.explore.budget.max_time) {
    deadline_ = std::chrono::steady_clock::now() + *options_.explore.budget.max_time;
  }
  if (resume_from.empty()) {
    begin();
  } else if (!resume(resume_from)) {
    result_.ended = Ended::NotResumed;
    return result_;
  }
  work();
  add_up();
  if (hired_) {
    crew_.leave_behind(states_of_stack());
    crew_.leave();
  }
  if (forked_ && !crew_.dismiss()) crew_.stop(Ended::WorkerDied);
  tell_findings();
  write_last_checkpoint();
  for (const Item& item : stack_) release(item);
  stack_.clear();
  if (!crew_.stopped()) look_for_livelocks();
  if (crew_.stopped() == Ended::Refused) walk(crew_.refused().from, crew_.refused().way);
  result_.ended = crew_.stopped().value_or(Ended::Complete);
  result_.statistics = crew_.total();
  result_.statistics.states = store_.size();
  listener_.execution_ended(result_.statistics);
  return result_;
}

void StateSearch::begin() {
  program_.restart();
  // A thread may fail before the first choice.
  if (look(kNoState, {})) arrive({}, 0, {});
}

void StateSearch::work() {
  while (!crew_.stopped()) {
    if (hired_ && crew_.paused()) {
      add_up();
      crew_.park(states_of_stack());
      continue;
    }
    if (!hired_ && listener_.wants_checkpoint()) write_checkpoint();
    if (stack_.empty() && !(forked_ && fetch())) break;
    Item item = std::move(stack_.back());
    stack_.pop_back();
    if (!item.kept && !get_handle(item)) break;
    if (options_.self_check || std::has_single_bit(item.state)) recheck(item);
    expand(item);
    if (!forked_) tell_findings();
    if (++expansions_ % kOften == 0) check_budgets();
    if (options_.jobs > 1) share();
  }
}

bool StateSearch::leaves_off() const {
  const std::optional<Ended> why = crew_.stopped();
  return why && why != Ended::Interrupted && why != Ended::Time;
}

void StateSearch::release(const Item& item) {
  if (!item.kept) return;
  if (at_handle_ && here_ == item.handle) at_handle_ = false;
  program_.release(item.handle);
}

void StateSearch::check_budgets() {
  if (interrupted_.load(std::memory_order_relaxed)) crew_.stop(Ended::Interrupted);
  if (options_.explore.budget.max_time && std::chrono::steady_clock::now() >= deadline_) crew_.stop(Ended::Time);
  const std::uint64_t kept = (program_.kept_bytes() + vector_.bytes()) * (forked_ ? options_.jobs : 1);
  if (store_.bytes() + idle_.bytes() + kept >= options_.store.max_memory) crew_.stop(Ended::Memory);
  if (!hired_) tell_progress();
}

void StateSearch::tell_progress() { listener_.execution_ended(so_far()); }

Statistics StateSearch::so_far() const {
  Statistics total = crew_.total();
  total.events += own_.events;
  total.replayed += own_.replayed;
  total.transitions += own_.transitions;
  total.max_depth = std::max(total.max_depth, own_.max_depth);
  total.threads = std::max({total.threads, own_.threads, std::uint64_t{program_.thread_count()}});
  total.states = store_.size();
  return total;
}

void StateSearch::add_up() {
  own_.threads = std::max<std::uint64_t>(own_.threads, program_.thread_count());
  crew_.add(own_);
  own_ = {};
}

void StateSearch::put_at(StateHandle state) {
  if (!at_handle_ || here_ != state) program_.restore(state);
  here_ = state;
  at_handle_ = true;
}

void StateSearch::expand(Item& item) {
  expanded_ = &item;
  if (sets_) sets_->forget_state();
  own_.max_depth = std::max<std::uint64_t>(own_.max_depth, item.depth);
  put_at(item.handle);
  bool done = true;
  if (program_.phase() == ProgramPhase::Running) {
    if (options_.reduction == StateReduction::Cartesian) {
      done = expand_cartesian(item);
    } else {
      expand_steps(item);
    }
  }
  expanded_ = nullptr;
  if (done) {
    release(item);
  } else {
    stack_.push_back(std::move(item));
  }
}

// The last one explored is the next to be expanded, so they come from last to first.
std::vector<Choice> StateSearch::choices(const Item& item) {
  std::vector<Choice> found;
  // What was asleep and is no longer is explored whether it is in the static set or not: what is passed on counts on
  // it.
  const bool first_visit = item.only == ~std::uint64_t{0};
  const ThreadSet& tried = sets_ && first_visit ? sets_->find(program_) : program_.enabled();
  for (auto thread = tried.first(); thread; thread = tried.after(*thread)) {
    const bool asleep = std::any_of(item.sleep.begin(), item.sleep.end(),
                                    [&](const Asleep& sleeper) { return sleeper.thread == *thread; });
    const bool wanted = bit(*thread) == 0 ? item.only == ~std::uint64_t{0} : (item.only & bit(*thread)) != 0;
    if (asleep || !wanted) continue;
    const Outcomes outcomes = program_.thread(*thread).outcomes;
    for (Outcome outcome = outcomes.first; outcome < outcomes.end(); ++outcome) found.push_back({*thread, outcome});
  }
  if (options_.order == ThreadOrder::Lowest) std::reverse(found.begin(), found.end());
  return found;
}

void StateSearch::expand_steps(Item& item) {
  const bool first_visit = item.only == ~std::uint64_t{0};
  if (first_visit) {
    // As the paper counts: a blocked thread has a transition back to the same state.
    for (std::size_t t = 0; t < program_.thread_count(); ++t) {
      const ThreadState& state = program_.thread(ThreadId{static_cast<std::uint16_t>(t)});
      if (state.phase == ThreadPhase::Pending && state.outcomes.count == 0 && !at_end(state)) ++own_.transitions;
    }
    if (program_.enabled().empty()) {
      if (program_.abandoned()) return;
      if (const auto finding = program_.conclude()) {
        note(*finding, item.state, {});
      } else {
        tell_progress();  // the end of an execution
      }
      return;
    }
  }
  const bool sleeping = options_.reduction == StateReduction::Sleep;
  std::vector<StateNumber> successors;
  bool idle = true;
  for (const Asleep& sleeper : item.sleep) {
    idle = idle && std::all_of(sleeper.events.begin(), sleeper.events.end(), only_reads);
  }
  const std::vector<Choice> explored = choices(item);
  Asleep done;
  for (std::size_t i = 0; i < explored.size() && !leaves_off(); ++i) {
    const Choice choice = explored[i];
    put_at(item.handle);
    at_handle_ = false;
    const Event event = program_.step(choice);
    if (sets_) sets_->check_step(program_, event);
    ++own_.events;
    ++own_.transitions;
    const Segment way{choice.thread.value, static_cast<std::uint16_t>(choice.outcome), 1};
    if (look(item.state, {&way, 1})) {
      const bool step_idle = is_idle(program_, event);
      std::vector<Asleep> sleep;
      if (sleeping) sleep = still_asleep(item.sleep, event);
      const StateNumber next = arrive({item.state, way.thread, way.outcome, 1}, item.depth + 1, std::move(sleep));
      if (sets_ && next != kNoState) steps_.push_back({item.state, next});
      idle = idle && step_idle && next != kNoState;
      if (idle) successors.push_back(next);
    } else {
      idle = false;
    }
    if (!sleeping) continue;
    done.thread = choice.thread;
    done.events.push_back(event);
    const bool last_outcome = i + 1 == explored.size() || explored[i + 1].thread != choice.thread;
    if (last_outcome && bit(choice.thread) != 0) item.sleep.push_back(done);
    if (last_outcome) done.events.clear();
  }
  if (idle) idle_.note(item.state, successors);
  if (!idle && !first_visit) idle_.note_other(item.state);
}

bool StateSearch::expand_cartesian(Item& item) {
  if (program_.enabled().empty() && !program_.abandoned()) {
    if (const auto finding = program_.conclude()) note(*finding, item.state, {});
  }
  vector_.calculate(item.handle, *this);
  at_handle_ = false;
  if (crew_.stopped()) {  // perhaps in the middle of it
    for (const CartesianVector::Prefix& prefix : vector_.prefixes()) {
      for (const CartesianVector::End& end : prefix.ends) {
        if (end.state != item.handle) program_.release(end.state);
      }
    }
    return false;
  }
  own_.transitions += vector_.transitions();
  own_.events += vector_.steps();
  bool all_at_rest = true;
  bool idle = true;
  std::vector<StateNumber> successors;
  for (CartesianVector::Prefix& prefix : vector_.prefixes()) {
    const bool not_started = prefix.at_rest && !prefix.infinite && prefix.states.empty();
    all_at_rest = all_at_rest && prefix.at_rest && (prefix.infinite || not_started);
    idle = idle && (not_started || (prefix.infinite ? prefix.idle_loop : prefix.idle));
    if (prefix.infinite && !prefix.at_rest) successors.push_back(item.state);
    for (const CartesianVector::End& end : prefix.ends) {
      if (end.state == item.handle) {
        if (!prefix.infinite && !not_started) successors.push_back(item.state);
        continue;
      }
      // From the end of an infinite prefix there is nothing to go on with (figure 7).
      if (prefix.infinite || leaves_off()) {
        if (at_handle_ && here_ == end.state) at_handle_ = false;
        program_.release(end.state);
        continue;
      }
      put_at(end.state);
      const StateNumber next =
          arrive({item.state, prefix.thread.value, static_cast<std::uint16_t>(end.outcome), prefix.steps},
                 item.depth + prefix.steps, {});
      idle = idle && next != kNoState;
      successors.push_back(next);
      const bool handed_over = !stack_.empty() && stack_.back().kept && stack_.back().handle == end.state;
      if (!handed_over) {
        at_handle_ = false;
        program_.release(end.state);
      }
    }
  }
  if (all_at_rest) {
    look_for_deadlock(item);
  } else if (idle) {
    idle_.note(item.state, successors);
  }
  return true;
}

// Every thread goes on alone to where it waits for ever, and no two of them conflict on the way: together they end in a
// state where nobody can run. Every reachable one is found like this (docs/soundness.md).
void StateSearch::look_for_deadlock(const Item& item) {
  put_at(item.handle);
  at_handle_ = false;
  std::vector<Segment> way;
  for (const CartesianVector::Prefix& prefix : vector_.prefixes()) {
    if (prefix.steps == 0) continue;
    const auto outcome = static_cast<std::uint16_t>(prefix.ends.front().outcome);
    way.push_back({prefix.thread.value, outcome, prefix.steps});
    for (std::uint32_t i = 0; i < prefix.steps; ++i) {
      program_.step({prefix.thread, program_.thread(prefix.thread).outcomes.first});
    }
  }
  // The steps of the prefixes do not conflict: whoever was not able to run before is not now. Unless there were
  // accesses that the back-end has not seen, inside a library.
  if (!program_.enabled().empty()) return crew_.stop(Ended::Unseen);
  if (program_.abandoned()) return;
  if (const auto finding = program_.conclude()) note(*finding, item.state, way);
}

StateNumber StateSearch::arrive(const Arrival& arrival, std::uint32_t depth, std::vector<Asleep> sleep) {
  program_.describe(parts_);
  const StateStore::Found found = store_.insert(parts_, arrival);
  if (found.number == kNoState) {
    crew_.spoil();
    crew_.stop(Ended::Memory);
    return kNoState;
  }
  if (!found.is_new) {
    if (options_.reduction == StateReduction::Sleep) meet_again(found.number, depth, std::move(sleep));
    return found.number;
  }
  if (options_.reduction == StateReduction::Sleep) note_sleep(found.number, sleep);
  if (!at_handle_) {
    here_ = program_.save();
    at_handle_ = true;
  }
  stack_.push_back({found.number, here_, depth, std::move(sleep)});
  return found.number;
}

std::vector<StateSearch::Asleep> StateSearch::still_asleep(const std::vector<Asleep>& sleep, const Event& event) const {
  std::vector<Asleep> still;
  for (const Asleep& sleeper : sleep) {
    const auto depends = [&](const Event& other) { return dependent(other, event); };
    if (std::none_of(sleeper.events.begin(), sleeper.events.end(), depends)) still.push_back(sleeper);
  }
  return still;
}

void StateSearch::note_sleep(StateNumber state, const std::vector<Asleep>& sleep) {
  if (state >= sleeping_.size()) sleeping_.grow(state + 1 - sleeping_.size());
  for (const Asleep& sleeper : sleep) sleeping_[state] |= bit(sleeper.thread);
}

void StateSearch::meet_again(StateNumber state, std::uint32_t depth, std::vector<Asleep> sleep) {
  std::uint64_t now = 0;
  for (const Asleep& sleeper : sleep) now |= bit(sleeper.thread);
  const std::uint64_t woken = sleeping_[state] & ~now;
  sleeping_[state] &= now;
  if (woken == 0) return;
  const std::uint64_t left = sleeping_[state];
  std::erase_if(sleep, [&](const Asleep& sleeper) { return (bit(sleeper.thread) & left) == 0; });
  here_ = program_.save();
  at_handle_ = true;
  stack_.push_back({state, here_, depth, std::move(sleep), woken});
}

bool StateSearch::stepped(ThreadId thread, std::uint32_t steps, Outcome outcome) {
  const Segment way{thread.value, static_cast<std::uint16_t>(outcome), steps};
  // A prefix may go on for ever through states that are all different.
  if (steps % kOften == 0) check_budgets();
  return look(expanded_->state, {&way, 1}) && !crew_.stopped();
}

bool StateSearch::look(StateNumber from, std::span<const Segment> way) {
  if (const Finding* raised = program_.raised()) note(*raised, from, way);
  switch (program_.phase()) {
    case ProgramPhase::Running: return true;
    case ProgramPhase::Failed:
      if (const auto finding = program_.conclude()) note(*finding, from, way);
      return false;
    case ProgramPhase::Revised: crew_.stop(Ended::Revised); return false;
    case ProgramPhase::Refused: crew_.refuse(from, way); return false;
  }
  return false;
}

void StateSearch::note(const Finding& finding, StateNumber from, std::span<const Segment> way) {
  if (std::find(noted_.begin(), noted_.end(), finding.key) != noted_.end()) return;
  noted_.push_back(finding.key);
  crew_.note(finding, from, way);
  if (!options_.explore.keep_going || finding.kind == FindingKind::Nondeterminism) crew_.stop(Ended::FirstFinding);
}

}  // namespace heddle
