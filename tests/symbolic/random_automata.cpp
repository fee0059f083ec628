#include "symbolic/random_automata.hpp"

namespace heddle::symbolic::oracle {
namespace {

class Generator {
 public:
  Generator(FixedAutomata& automata, const RandomShape& shape, std::mt19937_64& random)
      : automata_(automata), pool_(automata.pool()), shape_(shape), random_(random) {
    shared_ = automata.add_object("shared", 2);
    array_ = automata.add_object("array", 3);
    lock_ = automata.add_object("lock", 1);
    failure_ = automata.add_failure({.kind = FindingKind::Assertion,
                                     .message = "wrong value",
                                     .file = {},
                                     .line = 0,
                                     .function = {},
                                     .unsupported = false});
  }

  void thread(unsigned number) {
    thread_ = automata_.add_thread("t" + std::to_string(number));
    local_ = automata_.add_variable("r" + std::to_string(number), 8, number);
    const unsigned operations = 1 + below(shape_.most_operations);
    LocationId here{0};
    bool locked = false;
    for (unsigned i = 0; i < operations; ++i) here = operation(here, locked);
    if (locked && below(4) != 0) here = unlock(here);
    const LocationId end = automata_.add_location(thread_, LocationKind::Finished);
    // The last location is reached by a step of its own only if something branches; else it is the end.
    automata_.add_transition(thread_, here, {.target = end, .actions = {}, .updates = {}, .label = "end"});
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  Term small() { return pool_.constant(below(3), 8); }
  Term expression() { return below(2) == 0 ? small() : pool_.add(local_, below(2)); }
  Term place() {
    if (below(2) == 0) return automata_.address(shared_ + below(2));
    const Term index = below(3) == 0 ? pool_.constant(below(3), 8)
                                     : pool_.apply(Op::URem, local_, pool_.constant(3, 8));
    return pool_.apply(Op::Add, automata_.address(array_), pool_.extend(index, 64, false));
  }
  Sharing sharing() { return shape_.plain && below(2) == 0 ? Sharing::Plain : Sharing::Atomic; }
  LocationId next() { return automata_.add_location(thread_); }

  Load load(Term temporary) {
    return {.temporary = temporary, .address = place(), .width = 8, .sharing = sharing(), .invalid = kUnchecked};
  }

  LocationId unlock(LocationId here) {
    const LocationId there = next();
    const Store store{automata_.address(lock_), pool_.constant(0, 8), Sharing::Atomic, kUnchecked};
    automata_.add_transition(thread_, here, {there, {store}, {}, "unlock"});
    return there;
  }

  LocationId operation(LocationId here, bool& locked) {
    const LocationId there = next();
    const Term seen = pool_.variable("seen", 8);
    switch (below(shape_.checks ? 8 : 7)) {
      case 0:
        automata_.add_transition(thread_, here,
                                 {there, {Store{place(), expression(), sharing(), kUnchecked}}, {}, "write"});
        break;
      case 1: automata_.add_transition(thread_, here, {there, {load(seen)}, {{local_, seen}}, "read"}); break;
      case 2: {
        const Load read = load(seen);
        const Store write{read.address, pool_.add(seen, 1), read.sharing, kUnchecked};
        automata_.add_transition(thread_, here, {there, {read, write}, {}, "increment"});
        break;
      }
      case 3: {  // a branch: either way goes on, one with another local value
        const Load read = load(seen);
        const Term condition = pool_.apply(Op::ULess, seen, pool_.constant(1 + below(2), 8));
        automata_.add_transition(thread_, here, {there, {read, Assume{condition}}, {{local_, small()}}, "then"});
        automata_.add_transition(thread_, here, {there, {read, Assume{pool_.negate(condition)}}, {}, "else"});
        break;
      }
      case 4: {  // a wait
        const Load read = load(seen);
        const Term condition = below(2) == 0 ? pool_.equal(seen, small())
                                             : pool_.apply(Op::ULess, seen, pool_.constant(2, 8));
        automata_.add_transition(thread_, here, {there, {read, Assume{condition}}, {}, "wait"});
        break;
      }
      case 5:
        if (!locked) {
          const Load read{seen, automata_.address(lock_), 8, Sharing::Atomic, kUnchecked};
          const Store write{read.address, pool_.constant(1, 8), Sharing::Atomic, kUnchecked};
          const Assume free{pool_.equal(seen, pool_.constant(0, 8))};
          automata_.add_transition(thread_, here, {there, {read, free, write}, {}, "lock"});
          locked = true;
        } else {
          locked = false;
          return unlock(here);
        }
        break;
      case 6:
        if (shape_.choices) {
          const Term chosen = pool_.variable("chosen", 1);
          automata_.add_transition(thread_, here,
                                   {there, {Choose{chosen}}, {{local_, pool_.extend(chosen, 8, false)}}, "choose"});
        } else {
          automata_.add_transition(thread_, here,
                                   {there, {Store{place(), small(), sharing(), kUnchecked}}, {}, "set"});
        }
        break;
      default: {
        const Check check{pool_.differ(seen, pool_.constant(2, 8)), failure_};
        automata_.add_transition(thread_, here, {there, {load(seen), check}, {}, "check"});
        break;
      }
    }
    return there;
  }

  FixedAutomata& automata_;
  TermPool& pool_;
  const RandomShape& shape_;
  std::mt19937_64& random_;
  Address shared_ = 0, array_ = 0, lock_ = 0;
  FailureId failure_ = 0;
  ThreadIndex thread_;
  Term local_;
};

}  // namespace

void add_random_threads(FixedAutomata& automata, const RandomShape& shape, std::mt19937_64& random) {
  Generator generator(automata, shape, random);
  for (unsigned t = 0; t < shape.threads; ++t) generator.thread(t);
}

}  // namespace heddle::symbolic::oracle
