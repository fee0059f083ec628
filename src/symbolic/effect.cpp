#include "symbolic/effect.hpp"

#include <set>

#include "base/contract.hpp"

namespace heddle::symbolic {
namespace {

// The variables that decide more than a guard: what is stored, where, and what the thread remembers.
void collect_variables(const TermPool& pool, Term root, std::set<Term>& found) {
  std::vector<Term> stack{root};
  std::set<Term> seen;
  while (!stack.empty()) {
    const Term term = stack.back();
    stack.pop_back();
    const Node& n = pool.node(term);
    if (n.op == Op::Constant || !seen.insert(term).second) continue;
    if (n.op == Op::Variable) {
      found.insert(term);
      continue;
    }
    stack.push_back(n.a);
    const bool unary = n.op == Op::Not || n.op == Op::Extract || n.op == Op::ZeroExtend || n.op == Op::SignExtend;
    if (!unary) stack.push_back(n.b);
    if (n.op == Op::Ite) stack.push_back(n.c);
  }
}

std::set<Term> decisive_variables(const TermPool& pool, const Transition& transition) {
  std::set<Term> found;
  for (const Action& action : transition.actions) {
    if (const auto* load = std::get_if<Load>(&action)) collect_variables(pool, load->address, found);
    if (const auto* store = std::get_if<Store>(&action)) {
      collect_variables(pool, store->address, found);
      collect_variables(pool, store->value, found);
    }
    if (const auto* spawn = std::get_if<Spawn>(&action)) {
      for (const Assignment& argument : spawn->arguments) collect_variables(pool, argument.value, found);
    }
    if (const auto* restrict = std::get_if<Restrict>(&action)) collect_variables(pool, restrict->condition, found);
    if (const auto* event = std::get_if<ScheduledEvent>(&action)) collect_variables(pool, event->outcome, found);
  }
  for (const Assignment& update : transition.updates) collect_variables(pool, update.value, found);
  return found;
}

}  // namespace

// One evaluation. Memory written by the transition itself lies over that of the state.
class Evaluator::Run {
 public:
  Run(Evaluator& owner, const State& state, Effect& effect, FailureId wild)
      : owner_(owner), pool_(owner.pool_), state_(state), effect_(effect), wild_(wild), now_(owner.pool_) {
    now_.otherwise([&st = state_, &o = owner_](Term variable) {
      const auto at = st.variables.find(variable);
      return at != st.variables.end() ? at->second : o.automata_.initial_value(variable);
    });
  }

  Term now(Term term) { return now_(term); }
  [[nodiscard]] bool dead() const { return pool_.is_false(effect_.enabled); }

  void operator()(const Load& load) {
    const unsigned size = load.width / 8;
    const Term address = now(load.address);
    const std::vector<Address> targets = reach(address, size, load.sharing, load.invalid, false);
    Term value = pool_.constant(0, load.width);
    for (const Address target : targets) {
      value = pool_.ite(pool_.equal(address, pool_.constant(target, kAddressBits)), read(target, size), value);
    }
    bind(load.temporary, value);
    if (load.sharing == Sharing::Private) return;
    effect_.accesses.push_back({.write = false,
                                .sharing = load.sharing,
                                .address = address,
                                .size = size,
                                .value = value,
                                .targets = targets,
                                .temporary = load.temporary,
                                .guard_only = false});
  }

  void operator()(const Store& store) {
    const Term value = now(store.value);
    const unsigned size = pool_.width(value) / 8;
    const Term address = now(store.address);
    const std::vector<Address> targets = reach(address, size, store.sharing, store.invalid, true);
    for (const Address target : targets) {
      const Term here = pool_.equal(address, pool_.constant(target, kAddressBits));
      for (unsigned i = 0; i < size; ++i) {
        const Term old = current(target + i);
        effect_.written[target + i] = pool_.ite(here, pool_.extract(value, 8 * i, 8), old);
      }
    }
    if (store.sharing == Sharing::Private) return;
    effect_.accesses.push_back({.write = true,
                                .sharing = store.sharing,
                                .address = address,
                                .size = size,
                                .value = value,
                                .targets = targets,
                                .temporary = {},
                                .guard_only = false});
  }

  void operator()(const Assume& assume) {
    effect_.guard.push_back(assume.condition);
    effect_.enabled = pool_.conj(effect_.enabled, now(assume.condition));
  }

  void operator()(const Check& check) {
    effect_.guard.push_back(check.condition);
    require(now(check.condition), check.failure);
  }

  void operator()(const Choose& choose) {
    Term& chosen = owner_.choices_[choose.temporary];
    if (chosen == Term{}) {
      chosen = pool_.variable("choice." + pool_.name(choose.temporary), pool_.width(choose.temporary));
    }
    bind(choose.temporary, chosen);
    if (!choose.input.empty()) effect_.inputs.push_back({choose.input, chosen});
  }

  void operator()(const Restrict& restrict) {
    effect_.restrictions.push_back(pool_.disj(pool_.negate(effect_.enabled), now(restrict.condition)));
  }

  void operator()(const Spawn& spawn) {
    Spawn evaluated = spawn;
    for (Assignment& argument : evaluated.arguments) argument.value = now(argument.value);
    effect_.spawns.push_back(std::move(evaluated));
  }

  void operator()(const ScheduledEvent& event) { effect_.outcomes.push_back(now(event.outcome)); }

 private:
  void bind(Term variable, Term value) {
    now_.bind(variable, value);
    effect_.bindings[variable] = value;
  }

  void require(Term condition, FailureId failure) {
    const Term failing = pool_.conj(effect_.enabled, pool_.negate(condition));
    if (!pool_.is_false(failing)) effect_.failings.push_back({failing, failure, effect_.outcomes.size()});
    effect_.enabled = pool_.conj(effect_.enabled, condition);
  }

  // The targets of an access, after checking that it has one.
  std::vector<Address> reach(Term address, unsigned size, Sharing sharing, FailureId invalid, bool write) {
    std::optional<std::vector<Address>> targets = owner_.sets_.targets(address, size);
    if (!targets) {
      // The address may be anything: more than the sets can follow.
      require(pool_.truth(false), wild_);
      return {};
    }
    for (const Address target : *targets) {
      if (!owner_.automata_.object(object_of(target))->foreign) continue;
      require(pool_.differ(address, pool_.constant(target, kAddressBits)), wild_);
    }
    if (invalid == kUnchecked) return *targets;
    Term valid = pool_.truth(false);
    Term flag_read = pool_.constant(0, kAddressBits);
    Term flag_value = pool_.constant(1, 8);
    std::set<Address> flags;
    for (const Address target : *targets) {
      const Object& object = *owner_.automata_.object(object_of(target));
      if (write && !object.writable) continue;
      // What is freed is a heap block, from its beginning.
      if (shadow_of(target) == kAliveShadow && (!object.mortal || offset_of(target) != 0)) continue;
      Term here = pool_.equal(address, pool_.constant(target, kAddressBits));
      if (object.mortal || object.ended != 0) {
        const Address flag = object.mortal ? address_of(object_of(target), 0, kAliveShadow) : object.ended;
        const Term lives = pool_.constant(object.mortal ? 1 : 0, 8);
        flag_read = pool_.ite(here, pool_.constant(flag, kAddressBits), flag_read);
        flag_value = pool_.ite(here, lives, flag_value);
        flags.insert(flag);
        here = pool_.conj(here, pool_.equal(current(flag), lives));
      }
      valid = pool_.disj(valid, here);
    }
    // Whether the object lives is read, too: freeing it does not commute with using it.
    if (!flags.empty() && sharing != Sharing::Private) {
      effect_.accesses.push_back({.write = false,
                                  .sharing = Sharing::Atomic,
                                  .address = flag_read,
                                  .size = 1,
                                  .value = flag_value,
                                  .targets = {flags.begin(), flags.end()},
                                  .temporary = {},
                                  .guard_only = false});
    }
    require(valid, invalid);
    return *targets;
  }

  Term current(Address address) {
    const auto own = effect_.written.find(address);
    return own != effect_.written.end() ? own->second : owner_.byte(state_, address);
  }

  Term read(Address address, unsigned size) {
    Term value = current(address);
    for (unsigned i = 1; i < size; ++i) value = pool_.concat(current(address + i), value);
    return value;
  }

  Evaluator& owner_;
  TermPool& pool_;
  const State& state_;
  Effect& effect_;
  FailureId wild_;
  Substitution now_;
};

Term Evaluator::byte(const State& state, Address address) const {
  const auto at = state.bytes.find(address);
  return at != state.bytes.end() ? at->second : automata_.initial_byte(address);
}

Effect Evaluator::evaluate(const State& state, const Transition& transition, Term at, FailureId wild) {
  Effect effect;
  effect.target = transition.target;
  effect.enabled = at;
  Run run(*this, state, effect, wild);
  for (const Action& action : transition.actions) {
    std::visit(run, action);
    // Not enabled whatever happened before: what would follow is of no interest.
    if (run.dead()) return effect;
  }
  for (const Assignment& update : transition.updates) effect.updates[update.variable] = run.now(update.value);
  const std::set<Term> decisive = decisive_variables(pool_, transition);
  for (Access& access : effect.accesses) {
    access.guard_only = !access.write && access.temporary != Term{} && !decisive.contains(access.temporary);
  }
  return effect;
}

Term Evaluator::guard_with(const State& state, const Effect& effect, Term temporary, Term value) {
  Substitution then(pool_);
  then.otherwise([&](Term variable) {
    if (const auto at = effect.bindings.find(variable); at != effect.bindings.end()) return at->second;
    const auto at = state.variables.find(variable);
    return at != state.variables.end() ? at->second : automata_.initial_value(variable);
  });
  then.bind(temporary, value);
  Term all = pool_.truth(true);
  for (const Term condition : effect.guard) all = pool_.conj(all, then(condition));
  return all;
}

}  // namespace heddle::symbolic
