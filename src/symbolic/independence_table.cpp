#include "symbolic/independence_table.hpp"

namespace heddle::symbolic {

void IndependenceTable::add(Automata& automata, Unrolling& unrolling) {
  TermPool& pool = automata.pool();
  const auto name = [&](const Effect& effect) {
    return automata.thread_name(effect.thread) + ": " +
           automata.transitions(effect.thread, effect.source)[effect.number].label;
  };
  for (const Effect& first : unrolling.frame().effects) {
    for (const Effect& second : unrolling.frame().effects) {
      if (first.thread >= second.thread) continue;
      if (pool.is_false(pool.conj(first.enabled, second.enabled))) continue;
      Entry& entry = pairs_[{name(first), name(second)}];
      const Term guard = unrolling.independence().guard(unrolling.state(), first, second);
      entry.always = entry.always && pool.is_true(guard);
      entry.never = entry.never && pool.is_false(guard);
      if (pool.is_false(guard)) continue;
      const std::set<std::string> rules = unrolling.independence().rules(unrolling.state(), first, second);
      entry.rules.insert(rules.begin(), rules.end());
    }
  }
}

std::string IndependenceTable::text() const {
  std::string text;
  for (const auto& [names, entry] : pairs_) {
    text += names.first + " | " + names.second + " | " +
            (entry.always  ? "always independent"
             : entry.never ? "dependent"
                           : "independent under a condition");
    std::string rules;
    for (const std::string& rule : entry.rules) rules += (rules.empty() ? " | rule " : " ") + rule;
    text += rules + "\n";
  }
  return text;
}

}  // namespace heddle::symbolic
