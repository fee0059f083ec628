#include "symbolic/independence.hpp"

#include <algorithm>
#include <set>

namespace heddle::symbolic {

std::string_view text(Peephole peephole) {
  switch (peephole) {
    case Peephole::None: return "none";
    case Peephole::Static: return "static";
    case Peephole::Simple: return "simple";
    case Peephole::Full: return "full";
  }
  return "";
}

bool Independence::may_overlap(const Access& a, const Access& b) {
  auto x = a.targets.begin();
  auto y = b.targets.begin();
  while (x != a.targets.end() && y != b.targets.end()) {
    if (*x + a.size <= *y) {
      ++x;
    } else if (*y + b.size <= *x) {
      ++y;
    } else {
      return true;
    }
  }
  return false;
}

bool Independence::statically_disjoint(const Access& a, const Access& b) const {
  if (pool_.is_constant(a.address) && pool_.is_constant(b.address)) return !may_overlap(a, b);
  std::set<Address> objects;
  for (const Address target : a.targets) objects.insert(target >> 32U);
  return std::none_of(b.targets.begin(), b.targets.end(),
                      [&](Address target) { return objects.contains(target >> 32U); });
}

Term Independence::overlap(const Access& a, const Access& b) {
  if (!may_overlap(a, b)) return pool_.truth(false);
  if (a.size == b.size) {
    // Where all targets are multiples of one size apart, to overlap is to be equal.
    const auto aligned = [&](const Access& access) {
      return std::all_of(access.targets.begin(), access.targets.end(),
                         [&](Address target) { return target % a.size == a.targets.front() % a.size; });
    };
    if (aligned(a) && aligned(b)) return pool_.equal(a.address, b.address);
  }
  const Term below = pool_.apply(Op::ULess, a.address, pool_.add(b.address, b.size));
  return pool_.conj(below, pool_.apply(Op::ULess, b.address, pool_.add(a.address, a.size)));
}

Term Independence::others_apart(const Effect& reader, const Access& read, const Effect& writer, const Access& write) {
  Term apart = pool_.truth(true);
  for (const Access& r : reader.accesses) {
    for (const Access& w : writer.accesses) {
      if (r.write || !w.write || (&r == &read && &w == &write)) continue;
      apart = pool_.conj(apart, pool_.negate(overlap(r, w)));
    }
  }
  return apart;
}

// Rules 4(a) and 4(c): a write that the reader does not notice.
Term Independence::unread(const State& state, const Effect& reader, const Access& read, const Effect& writer,
                          const Access& write) {
  if (read.size != write.size || pool_.width(read.value) != pool_.width(write.value)) return pool_.truth(false);
  const Term same = pool_.conj(pool_.equal(read.address, write.address), pool_.equal(read.value, write.value));
  if (!read.guard_only) return same;
  const Term still = pool_.conj(evaluator_.guard_with(state, reader, read.temporary, write.value),
                                others_apart(reader, read, writer, write));
  return pool_.disj(same, pool_.conj(pool_.equal(read.address, write.address), still));
}

Term Independence::harmless(const State& state, const Effect& of_a, const Access& a, const Effect& of_b,
                            const Access& b) {
  if (a.write && b.write) {
    if (a.size != b.size) return pool_.truth(false);
    return pool_.conj(pool_.equal(a.address, b.address), pool_.equal(a.value, b.value));
  }
  return a.write ? unread(state, of_b, b, of_a, a) : unread(state, of_a, a, of_b, b);
}

Term Independence::guard(const State& state, const Effect& first, const Effect& second) {
  if (peephole_ == Peephole::None) return pool_.truth(false);
  Term all = pool_.truth(true);
  for (const Access& a : first.accesses) {
    for (const Access& b : second.accesses) {
      if (!a.write && !b.write) continue;
      if (peephole_ == Peephole::Static) {
        if (!statically_disjoint(a, b)) return pool_.truth(false);
        continue;
      }
      const Term apart = pool_.negate(overlap(a, b));
      if (pool_.is_true(apart)) continue;
      const Term pair = peephole_ == Peephole::Full ? pool_.disj(apart, harmless(state, first, a, second, b)) : apart;
      all = pool_.conj(all, pair);
      if (pool_.is_false(all)) return all;
    }
  }
  return all;
}

std::set<std::string> Independence::rules(const State& state, const Effect& first, const Effect& second) {
  std::set<std::string> used;
  for (const Access& a : first.accesses) {
    for (const Access& b : second.accesses) {
      if (!a.write && !b.write) continue;
      const Term meet = overlap(a, b);
      if (pool_.is_false(meet) || peephole_ == Peephole::Static) continue;
      if (!pool_.is_true(meet)) used.insert("2/3");
      if (peephole_ != Peephole::Full || pool_.is_false(harmless(state, first, a, second, b))) continue;
      const Access& read = a.write ? b : a;
      used.insert(a.write && b.write ? "4b" : read.guard_only ? "4c" : "4a");
    }
  }
  if (used.empty()) used.insert("1");
  return used;
}

}  // namespace heddle::symbolic
