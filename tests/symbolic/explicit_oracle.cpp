#include "symbolic/explicit_oracle.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace heddle::symbolic::oracle {
namespace {

bool mentions(const TermPool& pool, Term term, Term variable) {
  if (term == variable) return true;
  const Node& n = pool.node(term);
  switch (n.op) {
    case Op::Constant:
    case Op::Variable: return false;
    case Op::Not:
    case Op::Extract:
    case Op::ZeroExtend:
    case Op::SignExtend: return mentions(pool, n.a, variable);
    case Op::Ite:
      return mentions(pool, n.a, variable) || mentions(pool, n.b, variable) || mentions(pool, n.c, variable);
    default: return mentions(pool, n.a, variable) || mentions(pool, n.b, variable);
  }
}

bool meet(const Touch& a, const Touch& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

}  // namespace

ConcreteState ExplicitOracle::initial() {
  return {.locations = std::vector<std::uint32_t>(automata_.thread_count(), 0), .variables = {}, .bytes = {}};
}

std::uint64_t ExplicitOracle::evaluate(Term term, const ConcreteState& state,
                                       const std::map<std::uint32_t, std::uint64_t>& temporaries) {
  const TermPool& pool = automata_.pool();
  const Node n = pool.node(term);
  const auto inner = [&](Term part) { return evaluate(part, state, temporaries); };
  switch (n.op) {
    case Op::Constant: return n.value;
    case Op::Variable: {
      if (const auto at = temporaries.find(term.index); at != temporaries.end()) return at->second;
      if (const auto at = state.variables.find(term.index); at != state.variables.end()) return at->second;
      return automata_.pool().value(automata_.initial_value(term));
    }
    case Op::Not: return ~inner(n.a) & mask_of(n.width);
    case Op::Ite: return inner(n.a) != 0 ? inner(n.b) : inner(n.c);
    case Op::Concat: return (inner(n.a) << pool.width(n.b)) | inner(n.b);
    case Op::Extract: return (inner(n.a) >> n.value) & mask_of(n.width);
    case Op::ZeroExtend: return inner(n.a);
    case Op::SignExtend: {
      const unsigned narrow = pool.width(n.a);
      const std::uint64_t v = inner(n.a);
      const bool negative = ((v >> (narrow - 1)) & 1U) != 0;
      return negative ? (v | ~mask_of(narrow)) & mask_of(n.width) : v;
    }
    default: return fold(n.op, inner(n.a), inner(n.b), pool.width(n.a));
  }
}

void ExplicitOracle::take(const ConcreteState& state, std::uint32_t thread, const Transition& transition,
                          std::size_t action, Taken partial, Possible& found) {
  for (; action < transition.actions.size(); ++action) {
    const Action& now = transition.actions[action];
    const auto value = [&](Term term) { return evaluate(term, state, partial.temporaries); };
    if (const auto* load = std::get_if<Load>(&now)) {
      const Address address = value(load->address);
      std::uint64_t read = 0;
      for (unsigned i = load->width / 8; i-- > 0;) {
        const auto at = partial.after.bytes.find(address + i);
        read = (read << 8U) | (at != partial.after.bytes.end()
                                   ? at->second
                                   : automata_.pool().value(automata_.initial_byte(address + i)));
      }
      partial.temporaries[load->temporary.index] = read;
      partial.touches.push_back({false, address, load->width / 8, read, load->temporary, load->sharing});
    } else if (const auto* store = std::get_if<Store>(&now)) {
      const Address address = value(store->address);
      const std::uint64_t stored = value(store->value);
      const unsigned size = automata_.pool().width(store->value) / 8;
      for (unsigned i = 0; i < size; ++i) partial.after.bytes[address + i] = (stored >> (8 * i)) & 0xFFU;
      partial.touches.push_back({true, address, size, stored, {}, store->sharing});
    } else if (const auto* assume = std::get_if<Assume>(&now)) {
      if (value(assume->condition) == 0) return;
    } else if (const auto* check = std::get_if<Check>(&now)) {
      if (value(check->condition) == 0) {
        found.fails = true;
        return;
      }
    } else if (const auto* choose = std::get_if<Choose>(&now)) {
      for (std::uint64_t v = 0; v <= mask_of(automata_.pool().width(choose->temporary)); ++v) {
        Taken one = partial;
        one.temporaries[choose->temporary.index] = v;
        one.move.choices.push_back(v);
        take(state, thread, transition, action + 1, std::move(one), found);
      }
      return;
    }
  }
  for (const Assignment& update : transition.updates) {
    partial.after.variables[update.variable.index] = evaluate(update.value, state, partial.temporaries);
  }
  partial.after.locations[thread] = transition.target.value;
  partial.transition = &transition;
  found.moves.push_back(std::move(partial));
}

Possible ExplicitOracle::possible(const ConcreteState& state) {
  Possible found;
  for (std::uint32_t t = 0; t < state.locations.size(); ++t) {
    for (const Transition& transition : automata_.transitions({t}, LocationId{state.locations[t]})) {
      Taken start;
      start.move.thread = t;
      start.before = start.after = state;
      take(state, t, transition, 0, std::move(start), found);
    }
  }
  return found;
}

bool ExplicitOracle::deadlocked(const ConcreteState& state, const Possible& possible) const {
  if (!possible.moves.empty() || possible.fails) return false;
  for (std::uint32_t t = 0; t < state.locations.size(); ++t) {
    if (automata_.kind({t}, LocationId{state.locations[t]}) == LocationKind::Running) return true;
  }
  return false;
}

bool ExplicitOracle::races(const Possible& possible) {
  for (const Taken& a : possible.moves) {
    for (const Taken& b : possible.moves) {
      if (a.move.thread >= b.move.thread) continue;
      for (const Touch& x : a.touches) {
        for (const Touch& y : b.touches) {
          const bool atomic = x.sharing == Sharing::Atomic && y.sharing == Sharing::Atomic;
          if ((x.write || y.write) && !atomic && meet(x, y)) return true;
        }
      }
    }
  }
  return false;
}

bool ExplicitOracle::guard_only(const Transition& transition, Term temporary) const {
  FixedAutomata& automata = automata_;
  const TermPool& pool = automata.pool();
  for (const Action& action : transition.actions) {
    if (const auto* load = std::get_if<Load>(&action)) {
      if (mentions(pool, load->address, temporary)) return false;
    }
    if (const auto* store = std::get_if<Store>(&action)) {
      if (mentions(pool, store->address, temporary) || mentions(pool, store->value, temporary)) return false;
    }
  }
  return std::none_of(transition.updates.begin(), transition.updates.end(),
                      [&](const Assignment& update) { return mentions(pool, update.value, temporary); });
}

bool ExplicitOracle::unread(const Taken& reader, const Touch& read, const Taken& writer, const Touch& write,
                            Peephole peephole) const {
  if (peephole != Peephole::Full || read.address != write.address || read.size != write.size) return false;
  if (read.value == write.value) return true;
  if (!guard_only(*reader.transition, read.temporary)) return false;
  int meetings = 0;
  for (const Touch& r : reader.touches) {
    for (const Touch& w : writer.touches) meetings += !r.write && w.write && meet(r, w) ? 1 : 0;
  }
  if (meetings != 1) return false;
  std::map<std::uint32_t, std::uint64_t> changed = reader.temporaries;
  changed[read.temporary.index] = write.value;
  ExplicitOracle self(automata_);
  for (const Action& action : reader.transition->actions) {
    if (const auto* assume = std::get_if<Assume>(&action)) {
      if (self.evaluate(assume->condition, reader.before, changed) == 0) return false;
    }
    if (const auto* check = std::get_if<Check>(&action)) {
      if (self.evaluate(check->condition, reader.before, changed) == 0) return false;
    }
  }
  return true;
}

bool ExplicitOracle::independent(const Taken& a, const Taken& b, Peephole peephole) const {
  for (const Touch& x : a.touches) {
    for (const Touch& y : b.touches) {
      if ((!x.write && !y.write) || !meet(x, y)) continue;
      bool harmless = false;
      if (x.write && y.write) {
        harmless = peephole == Peephole::Full && x.address == y.address && x.size == y.size && x.value == y.value;
      } else {
        harmless = x.write ? unread(b, y, a, x, peephole) : unread(a, x, b, y, peephole);
      }
      if (!harmless) return false;
    }
  }
  return true;
}

void ExplicitOracle::collect(const ConcreteState& state, std::vector<Move>& prefix,
                             std::vector<std::vector<Move>>& found, std::size_t most) {
  if (found.size() > most) return;
  const Possible next = possible(state);
  if (next.moves.empty()) {
    found.push_back(prefix);
    return;
  }
  for (const Taken& taken : next.moves) {
    prefix.push_back(taken.move);
    collect(taken.after, prefix, found, most);
    prefix.pop_back();
  }
}

std::optional<std::vector<std::vector<Move>>> ExplicitOracle::executions(std::size_t most) {
  std::vector<std::vector<Move>> found;
  std::vector<Move> prefix;
  collect(initial(), prefix, found, most);
  if (found.size() > most) return std::nullopt;
  return found;
}

std::optional<Taken> ExplicitOracle::follow(const ConcreteState& state, const Move& move) {
  for (Taken& taken : possible(state).moves) {
    if (taken.move == move) return std::move(taken);
  }
  return std::nullopt;
}

std::map<std::vector<Move>, std::size_t> ExplicitOracle::classes(const std::vector<std::vector<Move>>& executions,
                                                                 Peephole peephole) {
  std::map<std::vector<Move>, std::size_t> number;
  for (const auto& execution : executions) number.emplace(execution, number.size());
  std::vector<std::size_t> parent(number.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  for (const auto& execution : executions) {
    ConcreteState state = initial();
    for (std::size_t k = 0; k < execution.size(); ++k) {
      const std::optional<Taken> first = follow(state, execution[k]);
      if (k + 1 < execution.size() && execution[k].thread != execution[k + 1].thread) {
        const std::optional<Taken> second = follow(state, execution[k + 1]);
        if (second && independent(*first, *second, peephole)) {
          std::vector<Move> swapped = execution;
          std::swap(swapped[k], swapped[k + 1]);
          // Independent moves can be swapped: if not, the rules are wrong, and `at` throws.
          parent[root(number.at(swapped))] = root(number.at(execution));
        }
      }
      state = first->after;
    }
  }
  for (auto& [execution, index] : number) index = root(index);
  return number;
}

ExplicitOracle::Verdict ExplicitOracle::verdict(bool with_races) {
  std::set<ConcreteState> layer{initial()};
  for (std::size_t depth = 0;; ++depth) {
    std::set<ConcreteState> next;
    for (const ConcreteState& state : layer) {
      const Possible now = possible(state);
      if (now.fails || deadlocked(state, now) || (with_races && races(now))) return {true, depth};
      for (const Taken& taken : now.moves) next.insert(taken.after);
    }
    if (next.empty()) return {false, depth};
    layer = std::move(next);
  }
}

}  // namespace heddle::symbolic::oracle
