#include "symbolic/unroll.hpp"

#include <algorithm>
#include <map>

#include "base/contract.hpp"

namespace heddle::symbolic {

Unrolling::Unrolling(Automata& automata, UnrollOptions options)
    : automata_(automata),
      pool_(automata.pool()),
      options_(options),
      sets_(pool_, automata),
      evaluator_(automata, sets_),
      independence_(pool_, evaluator_, options.peephole) {
  places_.resize(automata.thread_count());
  for (std::uint32_t t = 0; t < places_.size(); ++t) {
    if (automata.starts_by_itself({t})) places_[t].push_back({LocationId{0}, pool_.truth(true)});
  }
  make_frame();
}

Term Unrolling::at(ThreadIndex thread, LocationId location) const {
  if (thread.value >= places_.size()) return pool_.truth(false);
  for (const Place& place : places_[thread.value]) {
    if (place.location == location) return place.at;
  }
  return pool_.truth(false);
}

Term Unrolling::value(Term variable) const {
  const auto at = state_.variables.find(variable);
  return at != state_.variables.end() ? at->second : automata_.initial_value(variable);
}

void Unrolling::make_frame() {
  frame_ = {};
  evaluator_.new_frame();
  frame_.bad = frame_.abandoned = pool_.truth(false);
  for (std::uint32_t t = 0; t < places_.size(); ++t) {
    for (const Place& place : places_[t]) {
      const std::vector<Transition>& transitions = automata_.transitions({t}, place.location);
      for (std::size_t n = 0; n < transitions.size(); ++n) {
        Effect effect = evaluator_.evaluate(state_, transitions[n], place.at, options_.wild);
        effect.thread = {t};
        effect.source = place.location;
        effect.number = n;
        frame_.restrictions.insert(frame_.restrictions.end(), effect.restrictions.begin(), effect.restrictions.end());
        for (const Failing& failing : effect.failings) {
          Term& sum = automata_.failure(failing.failure).abandons ? frame_.abandoned : frame_.bad;
          sum = pool_.disj(sum, failing.condition);
        }
        if (!pool_.is_false(effect.enabled) || !effect.failings.empty()) frame_.effects.push_back(std::move(effect));
      }
    }
  }
  // Evaluating may have met new threads; they cannot run before the next step.
  places_.resize(automata_.thread_count());
  sum_up();
  if (options_.races) find_races();
  find_deadlock();
}

// Who can run, from what each transition needs.
void Unrolling::sum_up() {
  frame_.enabled.assign(places_.size(), pool_.truth(false));
  frame_.can_go_on = pool_.truth(false);
  std::vector<std::size_t> always(places_.size(), 0);  // places that a thread can leave whenever it is there
  for (const Effect& effect : frame_.effects) {
    const std::uint32_t t = effect.thread.value;
    frame_.enabled[t] = pool_.disj(frame_.enabled[t], effect.enabled);
    if (!pool_.is_false(effect.enabled) && effect.enabled == at(effect.thread, effect.source)) ++always[t];
  }
  frame_.may_end = true;
  for (std::size_t t = 0; t < places_.size(); ++t) {
    frame_.can_go_on = pool_.disj(frame_.can_go_on, frame_.enabled[t]);
    frame_.may_end = frame_.may_end && (places_[t].empty() || always[t] < places_[t].size());
  }
}

// Safe: a condition is replaced by another one only if they differ in no assignment that fulfils the constraints so
// far, and those stay required.
void Unrolling::narrow(const Possible& possible) {
  const auto id = [](const Effect& effect) { return TransitionId{effect.thread, effect.source, effect.number}; };
  std::vector<Effect*> asked;
  std::vector<Term> conditions;
  for (Effect& effect : frame_.effects) {
    if (pool_.is_false(effect.enabled) || seen_enabled_.contains(id(effect))) continue;
    asked.push_back(&effect);
    conditions.push_back(effect.enabled);
  }
  const std::vector<bool> enabled = possible(conditions);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (enabled[i]) {
      seen_enabled_.insert(id(*asked[i]));
    } else {
      asked[i]->enabled = pool_.truth(false);
    }
  }
  asked.clear();
  conditions.clear();
  for (Effect* effect : single_ways_out()) {
    const Term here = at(effect->thread, effect->source);
    if (effect->enabled == here || seen_closed_.contains(id(*effect))) continue;
    asked.push_back(effect);
    conditions.push_back(pool_.conj(here, pool_.negate(effect->enabled)));
  }
  const std::vector<bool> closed = possible(conditions);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (closed[i]) {
      seen_closed_.insert(id(*asked[i]));
    } else {
      asked[i]->enabled = at(asked[i]->thread, asked[i]->source);
    }
  }
  sum_up();
}

// What is left as the only way out of a location: it may be open whenever the thread is there.
std::vector<Effect*> Unrolling::single_ways_out() {
  std::map<std::pair<ThreadIndex, LocationId>, std::vector<Effect*>> ways;
  for (Effect& effect : frame_.effects) {
    if (!pool_.is_false(effect.enabled)) ways[{effect.thread, effect.source}].push_back(&effect);
  }
  std::vector<Effect*> single;
  for (const auto& [place, effects] : ways) {
    if (effects.size() == 1) single.push_back(effects.front());
  }
  return single;
}

void Unrolling::find_races() {
  const std::vector<Effect>& effects = frame_.effects;
  for (std::size_t x = 0; x < effects.size(); ++x) {
    for (std::size_t y = x + 1; y < effects.size(); ++y) {
      if (effects[x].thread == effects[y].thread) continue;
      Term meets = pool_.truth(false);
      for (const Access& a : effects[x].accesses) {
        for (const Access& b : effects[y].accesses) {
          if ((!a.write && !b.write) || !may_race(a.sharing, b.sharing)) continue;
          meets = pool_.disj(meets, independence_.overlap(a, b));
        }
      }
      const Term both = pool_.conj(effects[x].enabled, effects[y].enabled);
      const Term condition = pool_.conj(both, meets);
      if (pool_.is_false(condition)) continue;
      frame_.races.push_back({condition, x, y});
      frame_.bad = pool_.disj(frame_.bad, condition);
    }
  }
}

// Nobody can run, somebody wants to, the process has not ended, and nobody is where an assumption does not hold.
void Unrolling::find_deadlock() {
  Term waits = pool_.truth(false);
  Term returned = pool_.truth(false);
  for (std::uint32_t t = 0; t < places_.size(); ++t) {
    for (const Place& place : places_[t]) {
      const LocationKind kind = automata_.kind({t}, place.location);
      if (kind == LocationKind::Running) waits = pool_.disj(waits, place.at);
      if (kind == LocationKind::Returned) returned = pool_.disj(returned, place.at);
    }
  }
  const Term over = pool_.disj(returned, frame_.abandoned);
  const Term somebody = pool_.disj(frame_.can_go_on, pool_.disj(frame_.bad, over));
  frame_.deadlock = pool_.conj(waits, pool_.negate(somebody));
  frame_.bad = pool_.disj(frame_.bad, frame_.deadlock);
}

std::vector<Term> Unrolling::schedule() {
  std::vector<Term> constraints;
  std::vector<Term> candidates;
  for (std::size_t t = 0; t < frame_.enabled.size(); ++t) {
    if (pool_.is_false(frame_.enabled[t])) {
      frame_.runs.push_back(pool_.truth(false));
      continue;
    }
    const Term run = pool_.variable("run." + std::to_string(steps_) + "." + std::to_string(t), 1);
    frame_.runs.push_back(run);
    constraints.push_back(pool_.disj(pool_.negate(run), frame_.enabled[t]));
    for (const Term other : candidates) {
      constraints.push_back(pool_.negate(pool_.conj(run, other)));
    }
    candidates.push_back(run);
  }
  Term some = pool_.truth(false);
  for (const Term run : candidates) some = pool_.disj(some, run);
  constraints.push_back(some);
  return constraints;
}

// SCH: no step of thread j before one of thread i < j that was enabled already and is independent.
void Unrolling::peephole_pair(const Frame& before, std::size_t i, std::size_t j, std::vector<Term>& constraints) {
  const Term wrong_order = pool_.conj(before.runs[j], frame_.runs[i]);
  if (pool_.is_false(wrong_order)) return;
  Term dependent = pool_.truth(false);
  for (const Effect& first : before.effects) {
    if (first.thread.value != i || pool_.is_false(first.enabled)) continue;
    Term dependent_on_first = pool_.truth(false);
    bool always_independent = true;
    std::vector<Term> pairs;
    for (const Effect& second : before.effects) {
      if (second.thread.value != j || pool_.is_false(second.enabled)) continue;
      const Term guard = independence_.guard(state_before_, first, second);
      always_independent = always_independent && pool_.is_true(guard);
      const Term both = pool_.conj(first.enabled, second.enabled);
      dependent_on_first = pool_.disj(dependent_on_first, pool_.conj(both, pool_.negate(guard)));
      // en_t1 && en_t2 && cG -> !(sel_k = j && sel_k+1 = i)
      if (!pool_.is_false(guard)) pairs.push_back(pool_.negate(pool_.conj(pool_.conj(both, guard), wrong_order)));
    }
    if (options_.encoding == Encoding::Merged && always_independent) {
      constraints.push_back(pool_.negate(pool_.conj(first.enabled, wrong_order)));
    } else if (options_.encoding != Encoding::Dependent) {
      constraints.insert(constraints.end(), pairs.begin(), pairs.end());
    }
    dependent = pool_.disj(dependent, dependent_on_first);
  }
  // Thread j runs, so one of its transitions was enabled; the same of i: then a pair that is not dependent is
  // independent, and naming the dependent ones says it all.
  if (options_.encoding == Encoding::Dependent) {
    const Term premise = pool_.conj(before.enabled[i], wrong_order);
    constraints.push_back(pool_.disj(pool_.negate(premise), dependent));
  }
}

std::vector<Term> Unrolling::peephole(const Frame& before) {
  std::vector<Term> constraints;
  if (options_.peephole == Peephole::None) return constraints;
  for (std::size_t i = 0; i < before.runs.size(); ++i) {
    for (std::size_t j = i + 1; j < before.runs.size(); ++j) peephole_pair(before, i, j, constraints);
  }
  return constraints;
}

void Unrolling::advance() {
  state_before_ = state_;
  std::vector<std::vector<Place>> next(places_.size());
  const auto arrive = [&](std::size_t t, LocationId location, Term when) {
    if (pool_.is_false(when)) return;
    for (Place& place : next[t]) {
      if (place.location != location) continue;
      place.at = pool_.disj(place.at, when);
      return;
    }
    next[t].push_back({location, when});
  };
  for (std::size_t t = 0; t < places_.size(); ++t) {
    const Term stays = pool_.negate(t < frame_.runs.size() ? frame_.runs[t] : pool_.truth(false));
    for (const Place& place : places_[t]) arrive(t, place.location, pool_.conj(place.at, stays));
  }
  for (const Effect& effect : frame_.effects) {
    const Term taken = pool_.conj(effect.enabled, frame_.runs[effect.thread.value]);
    if (pool_.is_false(taken)) continue;
    arrive(effect.thread.value, effect.target, taken);
    for (const auto& [address, byte] : effect.written) {
      state_.bytes[address] = pool_.ite(taken, byte, evaluator_.byte(state_, address));
    }
    const auto assign = [&](Term variable, Term term) {
      state_.variables[variable] = pool_.ite(taken, term, value(variable));
    };
    for (const auto& [variable, term] : effect.updates) assign(variable, term);
    for (const Spawn& spawn : effect.spawns) {
      arrive(spawn.thread.value, spawn.entry, taken);
      for (const Assignment& argument : spawn.arguments) assign(argument.variable, argument.value);
    }
  }
  places_ = std::move(next);
}

std::vector<Term> Unrolling::step() {
  std::vector<Term> constraints = schedule();
  if (before_) {
    const std::vector<Term> reduction = peephole(*before_);
    constraints.insert(constraints.end(), reduction.begin(), reduction.end());
  }
  advance();
  runs_.push_back(frame_.runs);
  before_ = std::move(frame_);
  ++steps_;
  make_frame();
  return constraints;
}

}  // namespace heddle::symbolic
